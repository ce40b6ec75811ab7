-- What SQLite does with FTS5 and triggers. Prisma does not know these tables, functions and triggers; lib/db alone uses them.

-- The words of a text: letters and digits in any script, small, without marks, as FTS5's tokenizer "unicode61" has them.
CREATE FUNCTION "wordsOf"(text TEXT) RETURNS TEXT[] LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg("word" ORDER BY "place"), '{}')
  FROM regexp_split_to_table(
    regexp_replace(normalize(lower(text COLLATE "default"), NFD), '[\u0300-\u036F]', '', 'g'),
    '[^0-9a-z\u00AA\u00B5\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u1FFF\u2C00-\u2DFF\u3005-\u3007\u3021-\uD7FF\uF900-\uFDFF\uFE70-\uFEFC\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\uFF66-\uFFDC\U00010000-\U0001EFFF\U00020000-\U0003FFFF]+'
  ) WITH ORDINALITY AS parts("word", "place") WHERE "word" <> ''
$$;

-- Words with their weight, from A, the heaviest, to D. Of a text only the first 16,383 have a place.
CREATE FUNCTION "weighedWords"(text TEXT, weight "char") RETURNS TSVECTOR LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
  SELECT setweight(
    coalesce(string_agg(quote_literal(left("word", 500)) || ':' || least("place", 16383), ' ')::tsvector, ''), weight)
  FROM unnest("wordsOf"(text)) WITH ORDINALITY AS parts("word", "place")
$$;

CREATE TABLE "CatalogSearch" (
  "doc" SERIAL NOT NULL PRIMARY KEY,
  "entryId" TEXT COLLATE "C" NOT NULL,
  "words" TSVECTOR NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "CatalogSearch_entryId_key" ON "CatalogSearch"("entryId");
CREATE INDEX "CatalogSearch_words_idx" ON "CatalogSearch" USING GIN ("words");

-- Grows with each change that a list of entries can show: what is kept in memory of an older one is stale.
CREATE TABLE "CatalogRevision" ("id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1), "value" INTEGER NOT NULL);
INSERT INTO "CatalogRevision" ("id", "value") VALUES (1, 1);
CREATE FUNCTION "raiseCatalogRevision"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  UPDATE "CatalogRevision" SET "value" = "value" + 1;
  RETURN NULL;
END $$;

-- Names are found whole and in their parts: "pdf-forms" also as one word, as people type it without the hyphen.
CREATE FUNCTION "findCatalogEntry"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "CatalogSearch" WHERE "entryId" = old."id";
    RETURN NULL;
  END IF;
  INSERT INTO "CatalogSearch" ("entryId", "words")
    SELECT new."id",
      "weighedWords"(new."name" || ' ' || new."slug" || ' ' || replace(new."slug", '-', ''), 'A') ||
      "weighedWords"(new."tags" || ' ' || new."category", 'B') ||
      "weighedWords"(new."description" || ' ' || coalesce(new."whenToUse", ''), 'C') ||
      "weighedWords"(s."owner" || ' ' || s."repo" || ' ' || new."folder" || ' ' || new."toolNames", 'D')
    FROM "CatalogSource" s WHERE s."id" = new."sourceId"
  ON CONFLICT ("entryId") DO UPDATE SET "words" = excluded."words";
  RETURN NULL;
END $$;
CREATE TRIGGER "CatalogEntry_search_insert" AFTER INSERT ON "CatalogEntry" FOR EACH ROW
  EXECUTE FUNCTION "findCatalogEntry"();
CREATE TRIGGER "CatalogEntry_search_update"
  AFTER UPDATE OF "name", "slug", "tags", "category", "description", "whenToUse", "folder", "toolNames" ON "CatalogEntry"
  FOR EACH ROW WHEN (new."name" IS DISTINCT FROM old."name" OR new."slug" IS DISTINCT FROM old."slug"
    OR new."tags" IS DISTINCT FROM old."tags" OR new."category" IS DISTINCT FROM old."category"
    OR new."description" IS DISTINCT FROM old."description" OR new."whenToUse" IS DISTINCT FROM old."whenToUse"
    OR new."folder" IS DISTINCT FROM old."folder" OR new."toolNames" IS DISTINCT FROM old."toolNames")
  EXECUTE FUNCTION "findCatalogEntry"();
CREATE TRIGGER "CatalogEntry_search_delete" AFTER DELETE ON "CatalogEntry" FOR EACH ROW
  EXECUTE FUNCTION "findCatalogEntry"();
CREATE TRIGGER "CatalogEntry_revision_insert" AFTER INSERT OR DELETE ON "CatalogEntry" FOR EACH ROW
  EXECUTE FUNCTION "raiseCatalogRevision"();
CREATE TRIGGER "CatalogEntry_revision_update" AFTER UPDATE OF "name", "slug", "tags", "category", "description",
  "whenToUse", "folder", "toolNames", "license", "hasScripts", "bytes", "treeSha", "contentKey", "state", "changedAt"
  ON "CatalogEntry" FOR EACH ROW WHEN (new."name" IS DISTINCT FROM old."name" OR new."slug" IS DISTINCT FROM
  old."slug" OR new."tags" IS DISTINCT FROM old."tags" OR new."category" IS DISTINCT FROM old."category" OR
  new."description" IS DISTINCT FROM old."description" OR new."whenToUse" IS DISTINCT FROM old."whenToUse" OR
  new."folder" IS DISTINCT FROM old."folder" OR new."toolNames" IS DISTINCT FROM old."toolNames" OR new."license" IS
  DISTINCT FROM old."license" OR new."hasScripts" IS DISTINCT FROM old."hasScripts" OR new."bytes" IS DISTINCT FROM
  old."bytes" OR new."treeSha" IS DISTINCT FROM old."treeSha" OR new."contentKey" IS DISTINCT FROM old."contentKey" OR
  new."state" IS DISTINCT FROM old."state" OR new."changedAt" IS DISTINCT FROM old."changedAt") EXECUTE FUNCTION
  "raiseCatalogRevision"();
CREATE TRIGGER "CatalogPack_revision_insert" AFTER INSERT ON "CatalogPack" FOR EACH ROW EXECUTE FUNCTION
  "raiseCatalogRevision"();
CREATE TRIGGER "CatalogPack_revision_update" AFTER UPDATE ON "CatalogPack" FOR EACH ROW WHEN (new."name" IS DISTINCT
  FROM old."name" OR new."members" IS DISTINCT FROM old."members") EXECUTE FUNCTION "raiseCatalogRevision"();
CREATE TRIGGER "CatalogPack_revision_delete" AFTER DELETE ON "CatalogPack" FOR EACH ROW EXECUTE FUNCTION
  "raiseCatalogRevision"();

-- Words of the sentence and of who acts, under the event's number, by their stems: "approved" finds "approve". The
-- dictionary is the server's own English one, without its list of words to leave out.
CREATE TEXT SEARCH DICTIONARY "skillgate_stem" (TEMPLATE = pg_catalog.snowball, Language = 'english');
CREATE FUNCTION "stemsOf"(text TEXT) RETURNS TEXT[] LANGUAGE SQL STABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT coalesce((ts_lexize('skillgate_stem', "word"))[1], "word")), '{}')
  FROM unnest("wordsOf"(text)) AS parts("word")
$$;
CREATE TABLE "AuditSearch" ("seq" INTEGER NOT NULL PRIMARY KEY, "words" TSVECTOR NOT NULL);
CREATE INDEX "AuditSearch_words_idx" ON "AuditSearch" USING GIN ("words");

-- Grows with each change of what agents may be offered. Skills that are off and stay off do not count, nor does their use.
CREATE TABLE "OfferRevision" ("id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1), "value" INTEGER NOT NULL);
INSERT INTO "OfferRevision" ("id", "value") VALUES (1, 1);
CREATE FUNCTION "raiseOfferRevision"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER "Skill_offer_insert" AFTER INSERT ON "Skill" FOR EACH ROW WHEN (new."enabled") EXECUTE FUNCTION
  "raiseOfferRevision"();
CREATE TRIGGER "Skill_offer_update" AFTER UPDATE OF "name", "slug", "toolName", "label", "description", "whenToUse",
  "class", "scope", "always", "userInvocable", "contextFork", "runnable", "tags", "allowedTools", "requires",
  "argsSchema", "ownerKey", "ownerId", "source", "sourceId", "visibility", "enabled", "listed", "currentId",
  "deletedAt", "liveSlug" ON "Skill" FOR EACH ROW WHEN ((old."enabled" OR new."enabled") AND (new."name" IS DISTINCT
  FROM old."name" OR new."slug" IS DISTINCT FROM old."slug" OR new."toolName" IS DISTINCT FROM old."toolName" OR
  new."label" IS DISTINCT FROM old."label" OR new."description" IS DISTINCT FROM old."description" OR new."whenToUse"
  IS DISTINCT FROM old."whenToUse" OR new."class" IS DISTINCT FROM old."class" OR new."scope" IS DISTINCT FROM
  old."scope" OR new."always" IS DISTINCT FROM old."always" OR new."userInvocable" IS DISTINCT FROM
  old."userInvocable" OR new."contextFork" IS DISTINCT FROM old."contextFork" OR new."runnable" IS DISTINCT FROM
  old."runnable" OR new."tags" IS DISTINCT FROM old."tags" OR new."allowedTools" IS DISTINCT FROM old."allowedTools"
  OR new."requires" IS DISTINCT FROM old."requires" OR new."argsSchema" IS DISTINCT FROM old."argsSchema" OR
  new."ownerKey" IS DISTINCT FROM old."ownerKey" OR new."ownerId" IS DISTINCT FROM old."ownerId" OR new."source" IS
  DISTINCT FROM old."source" OR new."sourceId" IS DISTINCT FROM old."sourceId" OR new."visibility" IS DISTINCT FROM
  old."visibility" OR new."enabled" IS DISTINCT FROM old."enabled" OR new."listed" IS DISTINCT FROM old."listed" OR
  new."currentId" IS DISTINCT FROM old."currentId" OR new."deletedAt" IS DISTINCT FROM old."deletedAt" OR
  new."liveSlug" IS DISTINCT FROM old."liveSlug")) EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Skill_offer_delete" AFTER DELETE ON "Skill" FOR EACH ROW WHEN (old."enabled") EXECUTE FUNCTION
  "raiseOfferRevision"();
CREATE TRIGGER "Version_offer_update" AFTER UPDATE OF "state", "digest", "manifest", "class", "grants", "entry",
  "subject", "skillId", "provenance" ON "Version" FOR EACH ROW WHEN ((old."state" = 'approved' OR new."state" =
  'approved') AND (new."state" IS DISTINCT FROM old."state" OR new."digest" IS DISTINCT FROM old."digest" OR
  new."manifest" IS DISTINCT FROM old."manifest" OR new."class" IS DISTINCT FROM old."class" OR new."grants" IS
  DISTINCT FROM old."grants" OR new."entry" IS DISTINCT FROM old."entry" OR new."subject" IS DISTINCT FROM
  old."subject" OR new."skillId" IS DISTINCT FROM old."skillId" OR new."provenance" IS DISTINCT FROM
  old."provenance")) EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Version_offer_delete" AFTER DELETE ON "Version" FOR EACH ROW WHEN (old."state" = 'approved') EXECUTE
  FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "VersionFile_offer_update" AFTER UPDATE OF "path" ON "VersionFile" FOR EACH ROW WHEN (new."path" IS
  DISTINCT FROM old."path") EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Persona_offer_update" AFTER UPDATE OF "name", "permissionMode", "allow", "deny" ON "Persona" FOR EACH
  ROW WHEN (new."name" IS DISTINCT FROM old."name" OR new."permissionMode" IS DISTINCT FROM old."permissionMode" OR
  new."allow" IS DISTINCT FROM old."allow" OR new."deny" IS DISTINCT FROM old."deny") EXECUTE FUNCTION
  "raiseOfferRevision"();
CREATE TRIGGER "Persona_offer_delete" AFTER DELETE ON "Persona" FOR EACH ROW EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Setting_offer_insert" AFTER INSERT ON "Setting" FOR EACH ROW EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Setting_offer_update" AFTER UPDATE OF "value" ON "Setting" FOR EACH ROW WHEN (new."value" IS DISTINCT
  FROM old."value") EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Setting_offer_delete" AFTER DELETE ON "Setting" FOR EACH ROW EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Adoption_offer_insert" AFTER INSERT ON "Adoption" FOR EACH ROW EXECUTE FUNCTION
  "raiseOfferRevision"();
CREATE TRIGGER "Adoption_offer_delete" AFTER DELETE ON "Adoption" FOR EACH ROW EXECUTE FUNCTION
  "raiseOfferRevision"();
CREATE TRIGGER "Overlay_offer_insert" AFTER INSERT ON "Overlay" FOR EACH ROW WHEN (new."state" = 'approved') EXECUTE
  FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Overlay_offer_update" AFTER UPDATE OF "state", "description", "fewShot", "baseDigest" ON "Overlay" FOR
  EACH ROW WHEN (old."state" = 'approved' OR new."state" = 'approved') EXECUTE FUNCTION "raiseOfferRevision"();
CREATE TRIGGER "Overlay_offer_delete" AFTER DELETE ON "Overlay" FOR EACH ROW WHEN (old."state" = 'approved') EXECUTE
  FUNCTION "raiseOfferRevision"();
