-- By hand: a new table would lose the triggers of this one.
ALTER TABLE "CatalogSource" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'github';
ALTER TABLE "CatalogSource" ADD COLUMN "hostKeys" TEXT;
