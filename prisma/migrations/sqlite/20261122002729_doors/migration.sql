-- CreateTable
CREATE TABLE "CapabilityUrl" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "personaId" TEXT,
    "scopeKind" TEXT NOT NULL,
    "scopeId" TEXT,
    "tokenHash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "revokedAt" DATETIME
);

-- CreateTable
CREATE TABLE "DoorPackage" (
    "versionId" TEXT NOT NULL PRIMARY KEY,
    "format" INTEGER NOT NULL,
    "form" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "files" TEXT NOT NULL,
    "zipSha256" TEXT NOT NULL,
    "zipSize" INTEGER NOT NULL,
    "problem" TEXT
);

-- CreateTable
CREATE TABLE "InstallCount" (
    "skillId" TEXT NOT NULL,
    "versionDigest" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("skillId", "versionDigest", "door", "day")
);

-- CreateTable
CREATE TABLE "DoorSighting" (
    "door" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "userAgent" TEXT,

    PRIMARY KEY ("door", "client", "userId")
);

-- CreateIndex
CREATE UNIQUE INDEX "CapabilityUrl_tokenHash_key" ON "CapabilityUrl"("tokenHash");

-- CreateIndex
CREATE INDEX "CapabilityUrl_userId_idx" ON "CapabilityUrl"("userId");

-- CreateIndex
CREATE INDEX "DoorPackage_format_idx" ON "DoorPackage"("format");

-- CreateIndex
CREATE INDEX "InstallCount_skillId_idx" ON "InstallCount"("skillId");
