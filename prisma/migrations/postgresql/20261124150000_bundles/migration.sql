-- CreateTable
CREATE TABLE "ForeignInstance" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "namedAt" TIMESTAMP(3) NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "trustedAt" TIMESTAMP(3),
    "trustedById" TEXT COLLATE "C",
    "trustedByName" TEXT COLLATE "C",

    CONSTRAINT "ForeignInstance_pkey" PRIMARY KEY ("keyId")
);

-- CreateTable
CREATE TABLE "Bundle" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "envelope" TEXT COLLATE "C" NOT NULL,
    "exportedAt" TIMESTAMP(3) NOT NULL,
    "exportedByName" TEXT COLLATE "C" NOT NULL,
    "importedAt" TIMESTAMP(3) NOT NULL,
    "importedById" TEXT COLLATE "C" NOT NULL,
    "importedByName" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Bundle_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "ForeignReview" (
    "versionId" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "bundleDigest" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "record" TEXT COLLATE "C" NOT NULL,
    "exportedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ForeignReview_pkey" PRIMARY KEY ("versionId","keyId")
);

-- CreateTable
CREATE TABLE "KeptSource" (
    "sourceId" TEXT COLLATE "C" NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "setById" TEXT COLLATE "C" NOT NULL,
    "setByName" TEXT COLLATE "C" NOT NULL,
    "entries" INTEGER NOT NULL DEFAULT 0,
    "complete" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT COLLATE "C",

    CONSTRAINT "KeptSource_pkey" PRIMARY KEY ("sourceId")
);

-- CreateTable
CREATE TABLE "TextSketch" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "words" INTEGER NOT NULL,
    "sketch" BYTEA NOT NULL,

    CONSTRAINT "TextSketch_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "ForeignReview_keyId_idx" ON "ForeignReview"("keyId");

-- CreateIndex
CREATE INDEX "CatalogEntry_state_markerSha_idx" ON "CatalogEntry"("state", "markerSha");

-- AddForeignKey
ALTER TABLE "ForeignReview" ADD CONSTRAINT "ForeignReview_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "KeptSource" ADD CONSTRAINT "KeptSource_sourceId_fkey" FOREIGN KEY ("sourceId") REFERENCES "CatalogSource"("id") ON DELETE CASCADE ON UPDATE CASCADE;
