-- The full-text index of the catalog. Prisma does not know these tables; lib/db/catalog-index.ts alone reads them, and the
-- triggers keep them in step with every write, whoever makes it.

-- A number for each entry that never changes: rowids of a table with a text key may change when the file is vacuumed.
CREATE TABLE "CatalogSearchDoc" (
  "doc" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "entryId" TEXT NOT NULL
);
CREATE UNIQUE INDEX "CatalogSearchDoc_entryId_key" ON "CatalogSearchDoc"("entryId");

CREATE VIRTUAL TABLE "CatalogSearch" USING fts5(
  "name", "tags", "description", "place",
  tokenize = "unicode61 remove_diacritics 2", prefix = '2 3', content = '', contentless_delete = 1
);
-- Every word of the index, for correcting words that nobody wrote.
CREATE VIRTUAL TABLE "CatalogWord" USING fts5vocab('CatalogSearch', 'row');

-- Grows with each change that a list of entries can show: what is kept in memory of an older one is stale.
CREATE TABLE "CatalogRevision" ("id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1), "value" INTEGER NOT NULL);
INSERT INTO "CatalogRevision" ("id", "value") VALUES (1, 1);

-- Names are found whole and in their parts: "pdf-forms" also as one word, as people type it without the hyphen.
CREATE VIEW "CatalogSearchText" AS
SELECT e."id" AS "entryId",
  e."name" || ' ' || e."slug" || ' ' || replace(e."slug", '-', '') AS "name",
  e."tags" || ' ' || e."category" AS "tags",
  e."description" || ' ' || coalesce(e."whenToUse", '') AS "description",
  s."owner" || ' ' || s."repo" || ' ' || e."folder" || ' ' || e."toolNames" AS "place"
FROM "CatalogEntry" e JOIN "CatalogSource" s ON s."id" = e."sourceId";

CREATE TRIGGER "CatalogEntry_search_insert" AFTER INSERT ON "CatalogEntry" BEGIN
  INSERT INTO "CatalogSearchDoc" ("entryId") VALUES (new."id");
  INSERT INTO "CatalogSearch" (rowid, "name", "tags", "description", "place")
    SELECT d."doc", t."name", t."tags", t."description", t."place"
    FROM "CatalogSearchDoc" d JOIN "CatalogSearchText" t ON t."entryId" = d."entryId" WHERE d."entryId" = new."id";
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "CatalogEntry_search_update"
AFTER UPDATE OF "name", "slug", "tags", "category", "description", "whenToUse", "folder", "toolNames" ON "CatalogEntry"
WHEN new."name" IS NOT old."name" OR new."slug" IS NOT old."slug" OR new."tags" IS NOT old."tags"
  OR new."category" IS NOT old."category" OR new."description" IS NOT old."description"
  OR new."whenToUse" IS NOT old."whenToUse" OR new."folder" IS NOT old."folder"
  OR new."toolNames" IS NOT old."toolNames"
BEGIN
  DELETE FROM "CatalogSearch" WHERE rowid = (SELECT "doc" FROM "CatalogSearchDoc" WHERE "entryId" = new."id");
  INSERT INTO "CatalogSearch" (rowid, "name", "tags", "description", "place")
    SELECT d."doc", t."name", t."tags", t."description", t."place"
    FROM "CatalogSearchDoc" d JOIN "CatalogSearchText" t ON t."entryId" = d."entryId" WHERE d."entryId" = new."id";
END;

CREATE TRIGGER "CatalogEntry_revision_update"
AFTER UPDATE OF "name", "slug", "tags", "category", "description", "whenToUse", "folder", "toolNames", "license",
  "hasScripts", "bytes", "treeSha", "contentKey", "state", "changedAt" ON "CatalogEntry"
WHEN new."name" IS NOT old."name" OR new."slug" IS NOT old."slug" OR new."tags" IS NOT old."tags"
  OR new."category" IS NOT old."category" OR new."description" IS NOT old."description"
  OR new."whenToUse" IS NOT old."whenToUse" OR new."folder" IS NOT old."folder"
  OR new."toolNames" IS NOT old."toolNames" OR new."license" IS NOT old."license"
  OR new."hasScripts" IS NOT old."hasScripts" OR new."bytes" IS NOT old."bytes" OR new."treeSha" IS NOT old."treeSha"
  OR new."contentKey" IS NOT old."contentKey" OR new."state" IS NOT old."state"
  OR new."changedAt" IS NOT old."changedAt"
BEGIN
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "CatalogEntry_search_delete" AFTER DELETE ON "CatalogEntry" BEGIN
  DELETE FROM "CatalogSearch" WHERE rowid = (SELECT "doc" FROM "CatalogSearchDoc" WHERE "entryId" = old."id");
  DELETE FROM "CatalogSearchDoc" WHERE "entryId" = old."id";
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "CatalogPack_revision_insert" AFTER INSERT ON "CatalogPack" BEGIN
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "CatalogPack_revision_update" AFTER UPDATE ON "CatalogPack"
WHEN new."name" IS NOT old."name" OR new."members" IS NOT old."members" BEGIN
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "CatalogPack_revision_delete" AFTER DELETE ON "CatalogPack" BEGIN
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
END;
