-- AlterTable
ALTER TABLE "DoorPackage" ADD COLUMN "layerSha256" TEXT;
ALTER TABLE "DoorPackage" ADD COLUMN "layerSize" INTEGER;
