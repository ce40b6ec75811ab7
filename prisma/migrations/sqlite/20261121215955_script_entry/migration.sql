-- AlterTable
ALTER TABLE "Version" ADD COLUMN "entry" TEXT;

-- AlterTable
ALTER TABLE "Decision" ADD COLUMN "entry" TEXT;
