-- CreateTable
CREATE TABLE "ConnectedSignIn" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME NOT NULL,
    CONSTRAINT "ConnectedSignIn_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ConnectedSignIn_userId_idx" ON "ConnectedSignIn"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "ConnectedSignIn_issuer_subject_key" ON "ConnectedSignIn"("issuer", "subject");
