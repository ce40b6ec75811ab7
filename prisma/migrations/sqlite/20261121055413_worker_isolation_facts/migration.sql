-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Worker" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "manager" BOOLEAN NOT NULL,
    "version" TEXT,
    "platform" TEXT,
    "isolation" TEXT,
    "isolationFacts" TEXT NOT NULL DEFAULT '[]',
    "slots" INTEGER NOT NULL,
    "inventory" TEXT NOT NULL,
    "offers" TEXT NOT NULL DEFAULT '{}',
    "createdAt" DATETIME NOT NULL,
    "createdBy" TEXT,
    "lastSeenAt" DATETIME,
    "revokedAt" DATETIME
);
INSERT INTO "new_Worker" ("createdAt", "createdBy", "id", "inventory", "isolation", "lastSeenAt", "manager", "name", "offers", "platform", "revokedAt", "secretHash", "slots", "version") SELECT "createdAt", "createdBy", "id", "inventory", "isolation", "lastSeenAt", "manager", "name", "offers", "platform", "revokedAt", "secretHash", "slots", "version" FROM "Worker";
DROP TABLE "Worker";
ALTER TABLE "new_Worker" RENAME TO "Worker";
CREATE UNIQUE INDEX "Worker_name_key" ON "Worker"("name");
CREATE UNIQUE INDEX "Worker_secretHash_key" ON "Worker"("secretHash");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
