-- CreateTable
CREATE TABLE "Schedule" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "skillId" TEXT NOT NULL,
    "args" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "timeZone" TEXT NOT NULL,
    "overlap" TEXT NOT NULL,
    "catchUp" BOOLEAN NOT NULL,
    "workerId" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "createdById" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "ownerName" TEXT NOT NULL,
    "tokenId" TEXT,
    "tokenName" TEXT,
    "personaId" TEXT,
    "confirmedSubject" TEXT,
    "confirmedAt" DATETIME,
    "stopReason" TEXT,
    "nextAt" DATETIME,
    "heldAt" DATETIME,
    "lastAt" DATETIME,
    "lastRunId" TEXT,
    "lastOutcome" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ScheduleFiring" (
    "scheduleId" TEXT NOT NULL,
    "dueAt" DATETIME NOT NULL,
    "at" DATETIME NOT NULL,
    "runId" TEXT,

    PRIMARY KEY ("scheduleId", "dueAt"),
    CONSTRAINT "ScheduleFiring_scheduleId_fkey" FOREIGN KEY ("scheduleId") REFERENCES "Schedule" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Schedule_enabled_nextAt_idx" ON "Schedule"("enabled", "nextAt");

-- CreateIndex
CREATE INDEX "Schedule_ownerId_id_idx" ON "Schedule"("ownerId", "id");

-- CreateIndex
CREATE INDEX "Schedule_heldAt_idx" ON "Schedule"("heldAt");
