-- CreateTable
CREATE TABLE "Attestation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "versionId" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Attestation_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AdvisoryFile" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "text" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "records" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdByName" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "Attestation_versionId_idx" ON "Attestation"("versionId");
