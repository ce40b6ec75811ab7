-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "callerRole" TEXT COLLATE "C",
ADD COLUMN     "unacknowledged" BOOLEAN NOT NULL DEFAULT false;
