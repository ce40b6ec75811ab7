-- CreateTable
CREATE TABLE "SshKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "SshKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SshSignature" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "approvalId" TEXT NOT NULL,
    "versionId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "userName" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "signedDigest" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "SshSignature_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "SshKey_fingerprint_key" ON "SshKey"("fingerprint");

-- CreateIndex
CREATE INDEX "SshKey_userId_idx" ON "SshKey"("userId");

-- CreateIndex
CREATE INDEX "SshSignature_versionId_idx" ON "SshSignature"("versionId");

-- CreateIndex
CREATE UNIQUE INDEX "SshSignature_approvalId_userId_key" ON "SshSignature"("approvalId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "SshSignature_approvalId_fingerprint_key" ON "SshSignature"("approvalId", "fingerprint");
