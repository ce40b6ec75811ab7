-- AlterTable
ALTER TABLE "IdempotentAnswer" ADD COLUMN "runId" TEXT;
