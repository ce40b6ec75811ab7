-- AlterTable
ALTER TABLE "Skill" ADD COLUMN "listed" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "Skill" ADD COLUMN "lifecycle" TEXT NOT NULL DEFAULT 'active';
ALTER TABLE "Skill" ADD COLUMN "revivedAt" DATETIME;

-- AlterTable
ALTER TABLE "Worker" ADD COLUMN "offers" TEXT NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "Adoption" (
    "userId" TEXT NOT NULL,
    "skillId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "skillId"),
    CONSTRAINT "Adoption_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Integration" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "domain" TEXT NOT NULL,
    "ownerKey" TEXT NOT NULL,
    "userId" TEXT,
    "version" TEXT,
    "problems" TEXT NOT NULL DEFAULT '[]',
    "createdAt" DATETIME NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdByName" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Adoption_skillId_idx" ON "Adoption"("skillId");

-- CreateIndex
CREATE UNIQUE INDEX "Integration_ownerKey_key" ON "Integration"("ownerKey");

-- CreateIndex
CREATE INDEX "Integration_domain_idx" ON "Integration"("domain");
