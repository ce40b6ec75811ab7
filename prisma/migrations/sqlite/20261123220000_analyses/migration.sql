-- CreateTable
CREATE TABLE "Analysis" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "versionId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "steps" TEXT NOT NULL,
    "stepSeconds" INTEGER NOT NULL,
    "requestedById" TEXT,
    "requestedByName" TEXT NOT NULL,
    "workerId" TEXT,
    "workerName" TEXT,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "report" TEXT,
    "reportDigest" TEXT,
    "failure" TEXT,
    CONSTRAINT "Analysis_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Analysis_versionId_createdAt_idx" ON "Analysis"("versionId", "createdAt");

-- CreateIndex
CREATE INDEX "Analysis_state_createdAt_idx" ON "Analysis"("state", "createdAt");
