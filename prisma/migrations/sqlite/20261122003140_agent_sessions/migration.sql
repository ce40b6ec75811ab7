-- CreateTable
CREATE TABLE "AgentSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "implicitKey" TEXT,
    "tokenId" TEXT,
    "userId" TEXT NOT NULL,
    "personaId" TEXT,
    "client" TEXT NOT NULL,
    "capabilities" TEXT,
    "startedAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    "activeSkillId" TEXT,
    "activeVersionDigest" TEXT,
    "activeTools" TEXT
);

-- CreateTable
CREATE TABLE "AgentStep" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "kind" TEXT NOT NULL,
    "skillId" TEXT,
    "versionDigest" TEXT,
    "tool" TEXT,
    "outcome" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "runId" TEXT,
    "durationMs" INTEGER,
    CONSTRAINT "AgentStep_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "AgentSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "AgentSession_implicitKey_key" ON "AgentSession"("implicitKey");

-- CreateIndex
CREATE INDEX "AgentSession_userId_id_idx" ON "AgentSession"("userId", "id");

-- CreateIndex
CREATE INDEX "AgentSession_tokenId_lastSeenAt_idx" ON "AgentSession"("tokenId", "lastSeenAt");

-- CreateIndex
CREATE INDEX "AgentSession_lastSeenAt_idx" ON "AgentSession"("lastSeenAt");

-- CreateIndex
CREATE INDEX "AgentStep_sessionId_id_idx" ON "AgentStep"("sessionId", "id");

-- CreateIndex
CREATE INDEX "AgentStep_skillId_id_idx" ON "AgentStep"("skillId", "id");

-- CreateIndex
CREATE INDEX "Skill_enabled_deletedAt_idx" ON "Skill"("enabled", "deletedAt");

-- Grows with each change of what agents may be offered: what is kept in memory of an older one is stale. Prisma does not know
-- this table; lib/db/offer-revision.ts alone reads it. Skills that are off and stay off do not count, nor does their use.
CREATE TABLE "OfferRevision" ("id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1), "value" INTEGER NOT NULL);
INSERT INTO "OfferRevision" ("id", "value") VALUES (1, 1);

CREATE TRIGGER "Skill_offer_insert" AFTER INSERT ON "Skill" WHEN new."enabled" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Skill_offer_update" AFTER UPDATE OF "name", "slug", "toolName", "label", "description", "whenToUse", "class", "scope", "always", "userInvocable",
  "contextFork", "runnable", "tags", "allowedTools", "requires", "argsSchema", "ownerKey", "ownerId", "source",
  "sourceId", "visibility", "enabled", "listed", "currentId", "deletedAt", "liveSlug" ON "Skill"
WHEN (old."enabled" OR new."enabled") AND (new."name" IS NOT old."name" OR new."slug" IS NOT old."slug" OR new."toolName" IS NOT old."toolName" OR
  new."label" IS NOT old."label" OR new."description" IS NOT old."description" OR
  new."whenToUse" IS NOT old."whenToUse" OR new."class" IS NOT old."class" OR new."scope" IS NOT old."scope" OR
  new."always" IS NOT old."always" OR new."userInvocable" IS NOT old."userInvocable" OR
  new."contextFork" IS NOT old."contextFork" OR new."runnable" IS NOT old."runnable" OR
  new."tags" IS NOT old."tags" OR new."allowedTools" IS NOT old."allowedTools" OR
  new."requires" IS NOT old."requires" OR new."argsSchema" IS NOT old."argsSchema" OR
  new."ownerKey" IS NOT old."ownerKey" OR new."ownerId" IS NOT old."ownerId" OR
  new."source" IS NOT old."source" OR new."sourceId" IS NOT old."sourceId" OR
  new."visibility" IS NOT old."visibility" OR new."enabled" IS NOT old."enabled" OR
  new."listed" IS NOT old."listed" OR new."currentId" IS NOT old."currentId" OR
  new."deletedAt" IS NOT old."deletedAt" OR new."liveSlug" IS NOT old."liveSlug")
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Skill_offer_delete" AFTER DELETE ON "Skill" WHEN old."enabled" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Version_offer_update" AFTER UPDATE OF "state", "digest", "manifest", "class", "grants", "entry", "subject", "skillId", "provenance" ON "Version"
WHEN (old."state" = 'approved' OR new."state" = 'approved') AND (new."state" IS NOT old."state" OR new."digest" IS NOT old."digest" OR new."manifest" IS NOT old."manifest" OR
  new."class" IS NOT old."class" OR new."grants" IS NOT old."grants" OR new."entry" IS NOT old."entry" OR
  new."subject" IS NOT old."subject" OR new."skillId" IS NOT old."skillId" OR
  new."provenance" IS NOT old."provenance")
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Version_offer_delete" AFTER DELETE ON "Version" WHEN old."state" = 'approved' BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "VersionFile_offer_update" AFTER UPDATE OF "path" ON "VersionFile" WHEN new."path" IS NOT old."path" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Persona_offer_update" AFTER UPDATE OF "name", "permissionMode", "allow", "deny" ON "Persona"
WHEN new."name" IS NOT old."name" OR new."permissionMode" IS NOT old."permissionMode" OR
  new."allow" IS NOT old."allow" OR new."deny" IS NOT old."deny"
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Persona_offer_delete" AFTER DELETE ON "Persona" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Setting_offer_insert" AFTER INSERT ON "Setting" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Setting_offer_update" AFTER UPDATE OF "value" ON "Setting" WHEN new."value" IS NOT old."value" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Setting_offer_delete" AFTER DELETE ON "Setting" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Adoption_offer_insert" AFTER INSERT ON "Adoption" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Adoption_offer_delete" AFTER DELETE ON "Adoption" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Overlay_offer_insert" AFTER INSERT ON "Overlay" WHEN new."state" = 'approved' BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Overlay_offer_update" AFTER UPDATE OF "state", "description", "fewShot", "baseDigest" ON "Overlay"
WHEN old."state" = 'approved' OR new."state" = 'approved'
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Overlay_offer_delete" AFTER DELETE ON "Overlay" WHEN old."state" = 'approved' BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;
