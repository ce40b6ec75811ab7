-- CreateTable
CREATE TABLE "DeviceLogin" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "secretHash" TEXT NOT NULL,
    "userCode" TEXT NOT NULL,
    "clientName" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "address" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "lastPolledAt" DATETIME,
    "userId" TEXT,
    "decidedAt" DATETIME,
    "approved" BOOLEAN,
    "takenAt" DATETIME,
    CONSTRAINT "DeviceLogin_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UploadTicket" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "bytes" BLOB,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "UploadTicket_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "DeviceLogin_secretHash_key" ON "DeviceLogin"("secretHash");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceLogin_userCode_key" ON "DeviceLogin"("userCode");

-- CreateIndex
CREATE INDEX "DeviceLogin_expiresAt_idx" ON "DeviceLogin"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "UploadTicket_secretHash_key" ON "UploadTicket"("secretHash");

-- CreateIndex
CREATE INDEX "UploadTicket_userId_idx" ON "UploadTicket"("userId");

-- CreateIndex
CREATE INDEX "UploadTicket_expiresAt_idx" ON "UploadTicket"("expiresAt");
