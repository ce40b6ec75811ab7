-- CreateTable
CREATE TABLE "Analysis" (
    "id" TEXT COLLATE "C" NOT NULL,
    "versionId" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "steps" TEXT COLLATE "C" NOT NULL,
    "stepSeconds" INTEGER NOT NULL,
    "requestedById" TEXT COLLATE "C",
    "requestedByName" TEXT COLLATE "C" NOT NULL,
    "workerId" TEXT COLLATE "C",
    "workerName" TEXT COLLATE "C",
    "fence" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),
    "report" TEXT COLLATE "C",
    "reportDigest" TEXT COLLATE "C",
    "failure" TEXT COLLATE "C",

    CONSTRAINT "Analysis_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Analysis_versionId_createdAt_idx" ON "Analysis"("versionId", "createdAt");

-- CreateIndex
CREATE INDEX "Analysis_state_createdAt_idx" ON "Analysis"("state", "createdAt");

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;
