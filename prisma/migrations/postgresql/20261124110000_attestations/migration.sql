-- CreateTable
CREATE TABLE "Attestation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "versionId" TEXT COLLATE "C" NOT NULL,
    "envelope" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Attestation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AdvisoryFile" (
    "id" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "sha256" TEXT COLLATE "C" NOT NULL,
    "records" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdByName" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AdvisoryFile_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Attestation_versionId_idx" ON "Attestation"("versionId");

-- AddForeignKey
ALTER TABLE "Attestation" ADD CONSTRAINT "Attestation_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;
