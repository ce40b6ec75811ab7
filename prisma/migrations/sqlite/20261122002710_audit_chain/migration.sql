-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN "approvers" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "arguments" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "callerKind" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "decision" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "durationMs" REAL;
ALTER TABLE "AuditEvent" ADD COLUMN "error" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "finishedAt" DATETIME;
ALTER TABLE "AuditEvent" ADD COLUMN "hash" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "onBehalfOfId" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "onBehalfOfName" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "prevHash" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "result" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "rule" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "startedAt" DATETIME;
ALTER TABLE "AuditEvent" ADD COLUMN "traceId" TEXT;

-- CreateTable
CREATE TABLE "AuditSegment" (
    "fromSeq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "toSeq" INTEGER NOT NULL,
    "prevHash" TEXT NOT NULL,
    "lastHash" TEXT NOT NULL,
    "sealedAt" DATETIME NOT NULL,
    "manifest" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditForward" (
    "sink" TEXT NOT NULL PRIMARY KEY,
    "seq" INTEGER NOT NULL,
    "sentAt" DATETIME,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextTryAt" DATETIME,
    "lastError" TEXT
);

-- CreateIndex
CREATE UNIQUE INDEX "AuditSegment_toSeq_key" ON "AuditSegment"("toSeq");
