-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "skillId" TEXT NOT NULL,
    "versionId" TEXT NOT NULL,
    "versionDigest" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "args" TEXT NOT NULL,
    "argsDigest" TEXT NOT NULL,
    "limits" TEXT NOT NULL,
    "env" TEXT NOT NULL,
    "result" TEXT,
    "rawOutput" TEXT,
    "errorCode" TEXT,
    "errorMessage" TEXT,
    "exitCode" INTEGER,
    "signal" TEXT,
    "timedOut" BOOLEAN NOT NULL DEFAULT false,
    "truncated" BOOLEAN NOT NULL DEFAULT false,
    "isolation" TEXT,
    "targetWorker" TEXT,
    "workerId" TEXT,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" DATETIME,
    "cancelReason" TEXT,
    "callerId" TEXT NOT NULL,
    "callerName" TEXT NOT NULL,
    "callerKind" TEXT NOT NULL,
    "tokenId" TEXT,
    "tokenName" TEXT,
    "personaId" TEXT,
    "personaName" TEXT,
    "sessionId" TEXT,
    "requestId" TEXT,
    "gateRule" TEXT,
    "gateReason" TEXT,
    "signatures" INTEGER,
    "sopId" TEXT,
    "parkedAt" DATETIME,
    "expiresAt" DATETIME,
    "queuedAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "durationMs" REAL,
    "sandboxMs" REAL,
    "warm" BOOLEAN,
    "cpuMs" REAL,
    "peakMemoryBytes" REAL,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "retryOfId" TEXT,
    "parentRunId" TEXT,
    "stepIndex" INTEGER,
    "stepKey" TEXT,
    "groupId" TEXT,
    "scheduleId" TEXT,
    CONSTRAINT "Run_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Run_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Run_workerId_fkey" FOREIGN KEY ("workerId") REFERENCES "Worker" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
INSERT INTO "new_Run" ("args", "argsDigest", "callerId", "callerKind", "callerName", "cancelReason", "class", "durationMs", "env", "errorCode", "errorMessage", "exitCode", "expiresAt", "fence", "finishedAt", "gateReason", "gateRule", "id", "isolation", "leaseUntil", "limits", "parkedAt", "personaId", "personaName", "queuedAt", "rawOutput", "requestId", "result", "scope", "sessionId", "signal", "signatures", "skillId", "sopId", "startedAt", "state", "subject", "targetWorker", "timedOut", "tokenId", "tokenName", "truncated", "versionDigest", "versionId", "workerId") SELECT "args", "argsDigest", "callerId", "callerKind", "callerName", "cancelReason", "class", "durationMs", "env", "errorCode", "errorMessage", "exitCode", "expiresAt", "fence", "finishedAt", "gateReason", "gateRule", "id", "isolation", "leaseUntil", "limits", "parkedAt", "personaId", "personaName", "queuedAt", "rawOutput", "requestId", "result", "scope", "sessionId", "signal", "signatures", "skillId", "sopId", "startedAt", "state", "subject", "targetWorker", "timedOut", "tokenId", "tokenName", "truncated", "versionDigest", "versionId", "workerId" FROM "Run";
DROP TABLE "Run";
ALTER TABLE "new_Run" RENAME TO "Run";
CREATE INDEX "Run_state_queuedAt_idx" ON "Run"("state", "queuedAt");
CREATE INDEX "Run_skillId_id_idx" ON "Run"("skillId", "id");
CREATE INDEX "Run_callerId_id_idx" ON "Run"("callerId", "id");
CREATE INDEX "Run_leaseUntil_idx" ON "Run"("leaseUntil");
CREATE INDEX "Run_state_expiresAt_idx" ON "Run"("state", "expiresAt");
CREATE INDEX "Run_parentRunId_stepIndex_idx" ON "Run"("parentRunId", "stepIndex");
CREATE INDEX "Run_groupId_idx" ON "Run"("groupId");
CREATE INDEX "Run_scheduleId_id_idx" ON "Run"("scheduleId", "id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
