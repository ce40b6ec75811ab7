-- AlterTable
ALTER TABLE "DoorPackage" ADD COLUMN     "layerSha256" TEXT COLLATE "C",
ADD COLUMN     "layerSize" INTEGER;
