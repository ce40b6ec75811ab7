-- AlterTable
ALTER TABLE "Run" ADD COLUMN "callerRole" TEXT;
ALTER TABLE "Run" ADD COLUMN "unacknowledged" BOOLEAN NOT NULL DEFAULT false;
