-- CreateTable
CREATE TABLE "CatalogEntry" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sourceId" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "whenToUse" TEXT,
    "allowedTools" TEXT,
    "toolNames" TEXT NOT NULL,
    "license" TEXT,
    "tags" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "classGuess" TEXT NOT NULL,
    "hasScripts" BOOLEAN NOT NULL,
    "filesCount" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "files" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "treeSha" TEXT NOT NULL,
    "contentKey" TEXT NOT NULL,
    "markerSha" TEXT NOT NULL,
    "manifest" TEXT NOT NULL,
    "diagnostics" TEXT NOT NULL,
    "operatorIndex" TEXT,
    "blockedCode" TEXT,
    "blockedReason" TEXT,
    "state" TEXT NOT NULL,
    "firstSeenAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    "removedAt" DATETIME,
    CONSTRAINT "CatalogEntry_sourceId_fkey" FOREIGN KEY ("sourceId") REFERENCES "CatalogSource" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "CatalogPack" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sourceId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "version" TEXT,
    "category" TEXT,
    "members" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "CatalogPack_sourceId_fkey" FOREIGN KEY ("sourceId") REFERENCES "CatalogSource" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "CatalogBlob" (
    "gitSha" TEXT NOT NULL PRIMARY KEY,
    "size" INTEGER NOT NULL,
    "bytes" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "CatalogInstall" (
    "skillId" TEXT NOT NULL PRIMARY KEY,
    "sourceId" TEXT,
    "entryId" TEXT,
    "folder" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "repo" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "treeSha" TEXT NOT NULL,
    "contentKey" TEXT NOT NULL,
    "blobs" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "packId" TEXT,
    "state" TEXT NOT NULL,
    "installedBy" TEXT NOT NULL,
    "installedAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Secret" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "sealed" BLOB NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "updatedBy" TEXT
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_CatalogSource" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "label" TEXT NOT NULL,
    "repoUrl" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "repo" TEXT NOT NULL,
    "ref" TEXT,
    "folder" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "intervalMinutes" INTEGER NOT NULL DEFAULT 360,
    "repositoryId" TEXT,
    "pendingRepository" TEXT,
    "isPrivate" BOOLEAN NOT NULL DEFAULT false,
    "defaultBranch" TEXT,
    "identityCheckedAt" DATETIME,
    "state" TEXT NOT NULL DEFAULT 'idle',
    "jobId" TEXT,
    "queuedAt" DATETIME,
    "startedAt" DATETIME,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "rawReads" INTEGER NOT NULL DEFAULT 0,
    "rateLimit" INTEGER,
    "rateLimitLeft" INTEGER,
    "rateLimitResetAt" DATETIME,
    "commit" TEXT,
    "treeSha" TEXT,
    "commitEtag" TEXT,
    "treeEtag" TEXT,
    "indexVersion" INTEGER NOT NULL DEFAULT 0,
    "syncedAt" DATETIME,
    "nextSyncAt" DATETIME,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "errorCode" TEXT,
    "skipped" TEXT NOT NULL DEFAULT '[]',
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "createdBy" TEXT
);
INSERT INTO "new_CatalogSource" ("createdAt", "enabled", "error", "id", "label", "ref", "repoUrl", "syncedAt", "updatedAt") SELECT "createdAt", "enabled", "error", "id", "label", "ref", "repoUrl", "syncedAt", "updatedAt" FROM "CatalogSource";
DROP TABLE "CatalogSource";
ALTER TABLE "new_CatalogSource" RENAME TO "CatalogSource";
CREATE INDEX "CatalogSource_state_queuedAt_idx" ON "CatalogSource"("state", "queuedAt");
CREATE INDEX "CatalogSource_nextSyncAt_idx" ON "CatalogSource"("nextSyncAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "CatalogEntry_state_slug_idx" ON "CatalogEntry"("state", "slug");

-- CreateIndex
CREATE INDEX "CatalogEntry_state_changedAt_idx" ON "CatalogEntry"("state", "changedAt");

-- CreateIndex
CREATE INDEX "CatalogEntry_contentKey_idx" ON "CatalogEntry"("contentKey");

-- CreateIndex
CREATE UNIQUE INDEX "CatalogEntry_sourceId_folder_key" ON "CatalogEntry"("sourceId", "folder");

-- CreateIndex
CREATE UNIQUE INDEX "CatalogPack_sourceId_key_key" ON "CatalogPack"("sourceId", "key");

-- CreateIndex
CREATE INDEX "CatalogInstall_sourceId_folder_idx" ON "CatalogInstall"("sourceId", "folder");

-- CreateIndex
CREATE INDEX "CatalogInstall_entryId_idx" ON "CatalogInstall"("entryId");
