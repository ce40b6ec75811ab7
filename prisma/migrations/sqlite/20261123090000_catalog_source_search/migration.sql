-- The index of an entry holds the owner and name of its repository: another place of a source changes them.
CREATE TRIGGER "CatalogSource_search_update" AFTER UPDATE OF "owner", "repo" ON "CatalogSource"
WHEN new."owner" IS NOT old."owner" OR new."repo" IS NOT old."repo"
BEGIN
  DELETE FROM "CatalogSearch" WHERE rowid IN (
    SELECT d."doc" FROM "CatalogEntry" e JOIN "CatalogSearchDoc" d ON d."entryId" = e."id" WHERE e."sourceId" = new."id"
  );
  INSERT INTO "CatalogSearch" (rowid, "name", "tags", "description", "place")
    SELECT d."doc", t."name", t."tags", t."description", t."place"
    FROM "CatalogEntry" e JOIN "CatalogSearchDoc" d ON d."entryId" = e."id"
    JOIN "CatalogSearchText" t ON t."entryId" = e."id" WHERE e."sourceId" = new."id";
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
END;
