-- AlterTable
ALTER TABLE "Run" ADD COLUMN "expiresAt" DATETIME;
ALTER TABLE "Run" ADD COLUMN "gateReason" TEXT;
ALTER TABLE "Run" ADD COLUMN "gateRule" TEXT;
ALTER TABLE "Run" ADD COLUMN "parkedAt" DATETIME;
ALTER TABLE "Run" ADD COLUMN "personaId" TEXT;
ALTER TABLE "Run" ADD COLUMN "personaName" TEXT;
ALTER TABLE "Run" ADD COLUMN "signatures" INTEGER;
ALTER TABLE "Run" ADD COLUMN "sopId" TEXT;
ALTER TABLE "Run" ADD COLUMN "tokenName" TEXT;

-- AlterTable
ALTER TABLE "RunDecision" ADD COLUMN "soloMode" BOOLEAN;

-- CreateTable
CREATE TABLE "SopKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdBy" TEXT NOT NULL,
    "revokedAt" DATETIME
);

-- CreateTable
CREATE TABLE "Sop" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "title" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdBy" TEXT NOT NULL,
    "deletedAt" DATETIME
);

-- CreateTable
CREATE TABLE "LeaderLease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "until" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "JobState" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "durationMs" INTEGER,
    "outcome" TEXT,
    "summary" TEXT,
    "nextAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Run_state_expiresAt_idx" ON "Run"("state", "expiresAt");
