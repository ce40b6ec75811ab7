-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "passwordHash" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    "userAgent" TEXT,
    "address" TEXT,
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "personaId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "lastUsedAt" DATETIME,
    "revokedAt" DATETIME,
    CONSTRAINT "ApiToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApiToken_personaId_fkey" FOREIGN KEY ("personaId") REFERENCES "Persona" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "purpose" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "userId" TEXT,
    "createdBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);

-- CreateTable
CREATE TABLE "SignInThrottle" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "failures" INTEGER NOT NULL,
    "windowStart" DATETIME NOT NULL,
    "lockedUntil" DATETIME
);

-- CreateTable
CREATE TABLE "Setting" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "updatedBy" TEXT
);

-- CreateTable
CREATE TABLE "Persona" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "permissionMode" TEXT NOT NULL,
    "allow" TEXT NOT NULL,
    "deny" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Blob" (
    "sha256" TEXT NOT NULL PRIMARY KEY,
    "size" INTEGER NOT NULL,
    "bytes" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Skill" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerKey" TEXT NOT NULL,
    "ownerId" TEXT,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "toolName" TEXT NOT NULL,
    "label" TEXT,
    "description" TEXT NOT NULL,
    "whenToUse" TEXT,
    "class" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "resultPreview" TEXT,
    "author" TEXT,
    "version" TEXT,
    "license" TEXT,
    "compatibility" TEXT,
    "homepage" TEXT,
    "always" BOOLEAN NOT NULL,
    "userInvocable" BOOLEAN NOT NULL,
    "contextFork" BOOLEAN NOT NULL,
    "runnable" BOOLEAN NOT NULL,
    "tags" TEXT NOT NULL,
    "depends" TEXT NOT NULL,
    "allowedTools" TEXT,
    "requires" TEXT NOT NULL,
    "meta" TEXT NOT NULL,
    "argsSchema" TEXT,
    "source" TEXT NOT NULL,
    "sourceId" TEXT,
    "sourceVersion" TEXT,
    "visibility" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "pinned" BOOLEAN NOT NULL,
    "currentId" TEXT,
    "pendingId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "deletedAt" DATETIME,
    "liveSlug" TEXT,
    CONSTRAINT "Skill_currentId_fkey" FOREIGN KEY ("currentId") REFERENCES "Version" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "Skill_pendingId_fkey" FOREIGN KEY ("pendingId") REFERENCES "Version" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Version" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "skillId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "manifest" TEXT NOT NULL,
    "diagnostics" TEXT NOT NULL,
    "provenance" TEXT NOT NULL,
    "declaredClass" TEXT,
    "class" TEXT,
    "grants" TEXT,
    "subject" TEXT,
    "createdAt" DATETIME NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdByName" TEXT NOT NULL,
    "submittedAt" DATETIME,
    "decidedAt" DATETIME,
    CONSTRAINT "Version_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "VersionFile" (
    "versionId" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "isText" BOOLEAN NOT NULL,

    PRIMARY KEY ("versionId", "path"),
    CONSTRAINT "VersionFile_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Decision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "versionId" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "comment" TEXT NOT NULL,
    "class" TEXT,
    "grants" TEXT,
    "subject" TEXT,
    "actorId" TEXT NOT NULL,
    "actorName" TEXT NOT NULL,
    "soloMode" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Decision_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Worker" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "manager" BOOLEAN NOT NULL,
    "version" TEXT,
    "platform" TEXT,
    "isolation" TEXT,
    "slots" INTEGER NOT NULL,
    "inventory" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdBy" TEXT,
    "lastSeenAt" DATETIME,
    "revokedAt" DATETIME
);

-- CreateTable
CREATE TABLE "Run" (
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
    "sessionId" TEXT,
    "requestId" TEXT,
    "queuedAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "durationMs" REAL,
    CONSTRAINT "Run_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Run_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Run_workerId_fkey" FOREIGN KEY ("workerId") REFERENCES "Worker" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RunEvent" (
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DATETIME NOT NULL,
    "stream" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    PRIMARY KEY ("runId", "seq"),
    CONSTRAINT "RunEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RunDecision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "actorId" TEXT NOT NULL,
    "actorName" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "comment" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "RunDecision_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "IdempotentAnswer" (
    "actorKey" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("actorKey", "key")
);

-- CreateTable
CREATE TABLE "CatalogSource" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "label" TEXT NOT NULL,
    "repoUrl" TEXT NOT NULL,
    "ref" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "syncedAt" DATETIME,
    "error" TEXT
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "actorKind" TEXT NOT NULL,
    "actorId" TEXT,
    "actorName" TEXT NOT NULL,
    "actorRole" TEXT,
    "concernsId" TEXT,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 1,
    "targetKind" TEXT,
    "targetId" TEXT,
    "targetName" TEXT,
    "skillId" TEXT,
    "versionDigest" TEXT,
    "runId" TEXT,
    "tool" TEXT,
    "class" TEXT,
    "sessionId" TEXT,
    "device" TEXT,
    "address" TEXT,
    "requestId" TEXT,
    "summary" TEXT NOT NULL,
    "data" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_secretHash_key" ON "ApiToken"("secretHash");

-- CreateIndex
CREATE INDEX "ApiToken_userId_idx" ON "ApiToken"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "OneTimeToken_secretHash_key" ON "OneTimeToken"("secretHash");

-- CreateIndex
CREATE INDEX "OneTimeToken_userId_idx" ON "OneTimeToken"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Persona_name_key" ON "Persona"("name");

-- CreateIndex
CREATE INDEX "Skill_deletedAt_updatedAt_idx" ON "Skill"("deletedAt", "updatedAt");

-- CreateIndex
CREATE INDEX "Skill_liveSlug_idx" ON "Skill"("liveSlug");

-- CreateIndex
CREATE UNIQUE INDEX "Skill_ownerKey_liveSlug_key" ON "Skill"("ownerKey", "liveSlug");

-- CreateIndex
CREATE INDEX "Version_state_submittedAt_idx" ON "Version"("state", "submittedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Version_skillId_digest_key" ON "Version"("skillId", "digest");

-- CreateIndex
CREATE UNIQUE INDEX "Version_skillId_number_key" ON "Version"("skillId", "number");

-- CreateIndex
CREATE INDEX "VersionFile_sha256_idx" ON "VersionFile"("sha256");

-- CreateIndex
CREATE INDEX "Decision_versionId_createdAt_idx" ON "Decision"("versionId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Worker_name_key" ON "Worker"("name");

-- CreateIndex
CREATE UNIQUE INDEX "Worker_secretHash_key" ON "Worker"("secretHash");

-- CreateIndex
CREATE INDEX "Run_state_queuedAt_idx" ON "Run"("state", "queuedAt");

-- CreateIndex
CREATE INDEX "Run_skillId_id_idx" ON "Run"("skillId", "id");

-- CreateIndex
CREATE INDEX "Run_callerId_id_idx" ON "Run"("callerId", "id");

-- CreateIndex
CREATE INDEX "Run_leaseUntil_idx" ON "Run"("leaseUntil");

-- CreateIndex
CREATE UNIQUE INDEX "RunDecision_runId_actorId_key" ON "RunDecision"("runId", "actorId");

-- CreateIndex
CREATE INDEX "AuditEvent_actorId_seq_idx" ON "AuditEvent"("actorId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_concernsId_seq_idx" ON "AuditEvent"("concernsId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_action_seq_idx" ON "AuditEvent"("action", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_tool_seq_idx" ON "AuditEvent"("tool", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_skillId_seq_idx" ON "AuditEvent"("skillId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_runId_seq_idx" ON "AuditEvent"("runId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_at_idx" ON "AuditEvent"("at");
