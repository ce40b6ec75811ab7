-- AlterTable
ALTER TABLE "Run" ADD COLUMN "traceParent" TEXT;

-- AlterTable: by hand, since rebuilding the table would be all the same and slower.
ALTER TABLE "User" ADD COLUMN "quotas" TEXT NOT NULL DEFAULT '{}';
