-- CreateTable
CREATE TABLE "Overlay" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "skillId" TEXT NOT NULL,
    "baseDigest" TEXT NOT NULL,
    "optimizer" TEXT NOT NULL,
    "optimizedAt" DATETIME NOT NULL,
    "traceCount" INTEGER NOT NULL,
    "description" TEXT,
    "fewShot" TEXT NOT NULL,
    "before" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "toml" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "error" TEXT,
    "createdAt" DATETIME NOT NULL,
    "createdById" TEXT,
    "createdByName" TEXT NOT NULL,
    "decidedAt" DATETIME,
    "decidedById" TEXT,
    "decidedByName" TEXT,
    "comment" TEXT
);

-- CreateIndex
CREATE INDEX "Overlay_skillId_state_idx" ON "Overlay"("skillId", "state");

-- CreateIndex
CREATE INDEX "Overlay_state_id_idx" ON "Overlay"("state", "id");
