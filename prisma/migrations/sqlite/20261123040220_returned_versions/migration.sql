-- AlterTable
ALTER TABLE "Version" ADD COLUMN "returnedReason" TEXT;
ALTER TABLE "Version" ADD COLUMN "tampered" TEXT;
