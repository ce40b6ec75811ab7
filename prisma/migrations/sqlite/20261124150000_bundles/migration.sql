-- CreateTable
CREATE TABLE "ForeignInstance" (
    "keyId" TEXT NOT NULL PRIMARY KEY,
    "publicKey" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "namedAt" DATETIME NOT NULL,
    "firstSeenAt" DATETIME NOT NULL,
    "trustedAt" DATETIME,
    "trustedById" TEXT,
    "trustedByName" TEXT
);

-- CreateTable
CREATE TABLE "Bundle" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "keyId" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "exportedAt" DATETIME NOT NULL,
    "exportedByName" TEXT NOT NULL,
    "importedAt" DATETIME NOT NULL,
    "importedById" TEXT NOT NULL,
    "importedByName" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "ForeignReview" (
    "versionId" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "bundleDigest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "record" TEXT NOT NULL,
    "exportedAt" DATETIME NOT NULL,

    PRIMARY KEY ("versionId", "keyId"),
    CONSTRAINT "ForeignReview_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "KeptSource" (
    "sourceId" TEXT NOT NULL PRIMARY KEY,
    "since" DATETIME NOT NULL,
    "setById" TEXT NOT NULL,
    "setByName" TEXT NOT NULL,
    "entries" INTEGER NOT NULL DEFAULT 0,
    "complete" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    CONSTRAINT "KeptSource_sourceId_fkey" FOREIGN KEY ("sourceId") REFERENCES "CatalogSource" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "TextSketch" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "words" INTEGER NOT NULL,
    "sketch" BLOB NOT NULL
);

-- CreateIndex
CREATE INDEX "ForeignReview_keyId_idx" ON "ForeignReview"("keyId");

-- CreateIndex
CREATE INDEX "CatalogEntry_state_markerSha_idx" ON "CatalogEntry"("state", "markerSha");
