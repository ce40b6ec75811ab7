-- AlterTable
ALTER TABLE "Finding" ADD COLUMN "lineHash" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "FindingDismissal" ADD COLUMN "acceptedUntil" DATETIME;
ALTER TABLE "FindingDismissal" ADD COLUMN "lineHash" TEXT NOT NULL DEFAULT '';
