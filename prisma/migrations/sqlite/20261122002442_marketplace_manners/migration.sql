-- AlterTable
ALTER TABLE "Skill" ADD COLUMN "deprecatedAt" DATETIME;
ALTER TABLE "Skill" ADD COLUMN "deprecatedReason" TEXT;
ALTER TABLE "Skill" ADD COLUMN "replacedById" TEXT;

-- AlterTable
ALTER TABLE "Version" ADD COLUMN "changelog" TEXT;

-- CreateTable
CREATE TABLE "Publisher" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "handle" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "userId" TEXT,
    "bio" TEXT,
    "homepage" TEXT,
    "verifiedAt" DATETIME,
    "verifiedById" TEXT,
    "handleChangedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "FormerHandle" (
    "handle" TEXT NOT NULL PRIMARY KEY,
    "publisherId" TEXT NOT NULL,
    "until" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Collection" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "visibility" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "CollectionSkill" (
    "collectionId" TEXT NOT NULL,
    "skillId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    PRIMARY KEY ("collectionId", "skillId"),
    CONSTRAINT "CollectionSkill_collectionId_fkey" FOREIGN KEY ("collectionId") REFERENCES "Collection" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Star" (
    "userId" TEXT NOT NULL,
    "skillId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "skillId")
);

-- CreateTable
CREATE TABLE "Report" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "skillId" TEXT NOT NULL,
    "skillName" TEXT NOT NULL,
    "versionDigest" TEXT,
    "reporterId" TEXT,
    "reporterName" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "resolution" TEXT,
    "resolutionNote" TEXT,
    "closedAt" DATETIME,
    "closedById" TEXT,
    "closedByName" TEXT,
    "createdAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "Publisher_handle_key" ON "Publisher"("handle");

-- CreateIndex
CREATE UNIQUE INDEX "Publisher_userId_key" ON "Publisher"("userId");

-- CreateIndex
CREATE INDEX "FormerHandle_publisherId_idx" ON "FormerHandle"("publisherId");

-- CreateIndex
CREATE UNIQUE INDEX "Collection_slug_key" ON "Collection"("slug");

-- CreateIndex
CREATE INDEX "Collection_ownerId_idx" ON "Collection"("ownerId");

-- CreateIndex
CREATE INDEX "CollectionSkill_skillId_idx" ON "CollectionSkill"("skillId");

-- CreateIndex
CREATE INDEX "Star_skillId_idx" ON "Star"("skillId");

-- CreateIndex
CREATE INDEX "Report_state_id_idx" ON "Report"("state", "id");

-- CreateIndex
CREATE INDEX "Report_skillId_state_idx" ON "Report"("skillId", "state");

-- CreateIndex
CREATE INDEX "Version_state_decidedAt_id_idx" ON "Version"("state", "decidedAt", "id");
