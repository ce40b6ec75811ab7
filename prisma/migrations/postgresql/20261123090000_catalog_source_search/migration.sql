-- What an entry is found by, said once: the triggers write it, and lib/db/catalog-index.ts compares with it and builds anew.
CREATE VIEW "CatalogSearchText" AS
SELECT e."id" AS "entryId", e."sourceId",
  "weighedWords"(e."name" || ' ' || e."slug" || ' ' || replace(e."slug", '-', ''), 'A') ||
  "weighedWords"(e."tags" || ' ' || e."category", 'B') ||
  "weighedWords"(e."description" || ' ' || coalesce(e."whenToUse", ''), 'C') ||
  "weighedWords"(s."owner" || ' ' || s."repo" || ' ' || e."folder" || ' ' || e."toolNames", 'D') AS "words"
FROM "CatalogEntry" e JOIN "CatalogSource" s ON s."id" = e."sourceId";

CREATE OR REPLACE FUNCTION "findCatalogEntry"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "CatalogSearch" WHERE "entryId" = old."id";
    RETURN NULL;
  END IF;
  INSERT INTO "CatalogSearch" ("entryId", "words")
    SELECT "entryId", "words" FROM "CatalogSearchText" WHERE "entryId" = new."id"
  ON CONFLICT ("entryId") DO UPDATE SET "words" = excluded."words";
  RETURN NULL;
END $$;

-- The index of an entry holds the owner and name of its repository: another place of a source changes them.
CREATE FUNCTION "findCatalogSource"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  UPDATE "CatalogSearch" f SET "words" = t."words"
    FROM "CatalogSearchText" t WHERE t."sourceId" = new."id" AND f."entryId" = t."entryId";
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER "CatalogSource_search_update" AFTER UPDATE OF "owner", "repo" ON "CatalogSource" FOR EACH ROW
  WHEN (new."owner" IS DISTINCT FROM old."owner" OR new."repo" IS DISTINCT FROM old."repo")
  EXECUTE FUNCTION "findCatalogSource"();
