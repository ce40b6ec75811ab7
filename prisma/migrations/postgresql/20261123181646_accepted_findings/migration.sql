-- AlterTable
ALTER TABLE "Finding" ADD COLUMN     "lineHash" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "FindingDismissal" ADD COLUMN     "acceptedUntil" TIMESTAMP(3),
ADD COLUMN     "lineHash" TEXT COLLATE "C" NOT NULL DEFAULT '';
