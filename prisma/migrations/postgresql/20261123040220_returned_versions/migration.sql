-- AlterTable
ALTER TABLE "Version" ADD COLUMN     "returnedReason" TEXT COLLATE "C",
ADD COLUMN     "tampered" TEXT;
