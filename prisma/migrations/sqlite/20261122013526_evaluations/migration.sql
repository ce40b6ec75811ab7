-- CreateTable
CREATE TABLE "EvalRun" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "skillId" TEXT NOT NULL,
    "versionDigest" TEXT NOT NULL,
    "versionNumber" INTEGER NOT NULL,
    "endpointName" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "limits" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "error" TEXT,
    "cases" INTEGER NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdByName" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "finishedAt" DATETIME
);

-- CreateTable
CREATE TABLE "EvalResult" (
    "evalRunId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "withSkill" BOOLEAN NOT NULL,
    "caseId" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "expected" TEXT,
    "answer" TEXT NOT NULL,
    "checks" TEXT NOT NULL,
    "passed" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "problem" TEXT,
    "steps" INTEGER NOT NULL,
    "tokens" INTEGER NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "sessionId" TEXT,

    PRIMARY KEY ("evalRunId", "seq", "withSkill"),
    CONSTRAINT "EvalResult_evalRunId_fkey" FOREIGN KEY ("evalRunId") REFERENCES "EvalRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "AgentSession" ADD COLUMN "surface" TEXT NOT NULL DEFAULT 'http';
UPDATE "AgentSession" SET "surface" = 'playground' WHERE "client" LIKE 'playground%';

-- AlterTable
ALTER TABLE "Run" ADD COLUMN "surface" TEXT NOT NULL DEFAULT 'http';
UPDATE "Run" SET "surface" = CASE
  WHEN "parentRunId" IS NOT NULL THEN 'pipeline'
  WHEN "scheduleId" IS NOT NULL THEN 'schedule'
  WHEN "callerKind" = 'user' THEN 'page'
  ELSE 'http'
END;

-- CreateIndex
CREATE INDEX "EvalRun_skillId_id_idx" ON "EvalRun"("skillId", "id");

-- CreateIndex
CREATE INDEX "EvalRun_state_updatedAt_idx" ON "EvalRun"("state", "updatedAt");
