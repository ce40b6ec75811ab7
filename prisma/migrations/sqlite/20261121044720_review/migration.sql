-- AlterTable
ALTER TABLE "Version" ADD COLUMN "submittedById" TEXT;
ALTER TABLE "Version" ADD COLUMN "submittedByName" TEXT;

-- AlterTable
ALTER TABLE "Decision" ADD COLUMN "keyId" TEXT;
ALTER TABLE "Decision" ADD COLUMN "signature" TEXT;
ALTER TABLE "Decision" ADD COLUMN "standing" TEXT;
ALTER TABLE "Decision" ADD COLUMN "statement" TEXT;
ALTER TABLE "Decision" ADD COLUMN "subjectJson" TEXT;
ALTER TABLE "Decision" ADD COLUMN "tier" TEXT;

-- CreateTable
CREATE TABLE "ReviewKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "publicKey" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "VersionScan" (
    "versionId" TEXT NOT NULL PRIMARY KEY,
    "rulesVersion" TEXT NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "capabilities" TEXT NOT NULL,
    "scannedAt" DATETIME NOT NULL,
    "durationMs" INTEGER NOT NULL,
    CONSTRAINT "VersionScan_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Finding" (
    "versionId" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "rule" TEXT NOT NULL,
    "ruleVersion" INTEGER NOT NULL,
    "severity" TEXT NOT NULL,
    "raisedBy" TEXT,
    "path" TEXT NOT NULL,
    "line" INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    "endLine" INTEGER,
    "text" TEXT NOT NULL,
    "why" TEXT NOT NULL,
    "view" TEXT NOT NULL,
    "more" INTEGER NOT NULL,
    "firstSeenAt" DATETIME NOT NULL,

    PRIMARY KEY ("versionId", "fingerprint"),
    CONSTRAINT "Finding_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FindingDismissal" (
    "versionId" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "byId" TEXT NOT NULL,
    "byName" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("versionId", "fingerprint"),
    CONSTRAINT "FindingDismissal_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "VersionScan_rulesVersion_idx" ON "VersionScan"("rulesVersion");

-- CreateIndex
CREATE INDEX "Finding_fingerprint_idx" ON "Finding"("fingerprint");

-- CreateIndex
CREATE INDEX "FindingDismissal_fingerprint_idx" ON "FindingDismissal"("fingerprint");
