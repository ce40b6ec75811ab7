-- Lists of distribution endpoints are kept in memory under the revision of agent offers (lib/distribution/active-versions.ts).
-- So the revision also rises with what only those lists contain: deprecations, approvals that count, publishers, packages.
-- A package that is built does not count: a list that lacks one is not kept for more than a minute.
-- The triggers of the migration agent_sessions cover the other columns. Skills that are off and stay off do not count.

CREATE TRIGGER "Skill_published_update" AFTER UPDATE OF "category", "license", "deprecatedAt", "deprecatedReason", "replacedById", "createdAt" ON "Skill"
WHEN (old."enabled" OR new."enabled") AND (
  new."category" IS NOT old."category" OR new."license" IS NOT old."license" OR
  new."deprecatedAt" IS NOT old."deprecatedAt" OR new."deprecatedReason" IS NOT old."deprecatedReason" OR
  new."replacedById" IS NOT old."replacedById" OR new."createdAt" IS NOT old."createdAt"
)
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Version_published_update" AFTER UPDATE OF "number", "changelog", "createdAt", "decidedAt", "tampered", "createdById", "submittedById" ON "Version"
WHEN (old."state" = 'approved' OR new."state" = 'approved') AND (
  new."number" IS NOT old."number" OR new."changelog" IS NOT old."changelog" OR
  new."createdAt" IS NOT old."createdAt" OR new."decidedAt" IS NOT old."decidedAt" OR
  new."tampered" IS NOT old."tampered" OR new."createdById" IS NOT old."createdById" OR
  new."submittedById" IS NOT old."submittedById"
)
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Decision_published_update" AFTER UPDATE OF "versionId", "standing", "statement" ON "Decision"
WHEN (old."standing" = 'counts' OR new."standing" = 'counts') AND (
  new."versionId" IS NOT old."versionId" OR new."standing" IS NOT old."standing" OR
  new."statement" IS NOT old."statement"
)
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Publisher_published_update" AFTER UPDATE OF "id", "handle", "displayName", "userId", "verifiedAt" ON "Publisher"
WHEN (
  new."id" IS NOT old."id" OR new."handle" IS NOT old."handle" OR new."displayName" IS NOT old."displayName" OR
  new."userId" IS NOT old."userId" OR new."verifiedAt" IS NOT old."verifiedAt"
)
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Decision_published_insert" AFTER INSERT ON "Decision" WHEN new."standing" = 'counts' BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Decision_published_delete" AFTER DELETE ON "Decision" WHEN old."standing" = 'counts' BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Publisher_published_insert" AFTER INSERT ON "Publisher" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "Publisher_published_delete" AFTER DELETE ON "Publisher" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "DoorPackage_published_update" AFTER UPDATE OF "versionId", "format", "form", "name", "description", "files", "zipSha256", "zipSize", "problem" ON "DoorPackage"
WHEN (
  new."versionId" IS NOT old."versionId" OR new."format" IS NOT old."format" OR new."form" IS NOT old."form" OR
  new."name" IS NOT old."name" OR new."description" IS NOT old."description" OR new."files" IS NOT old."files" OR
  new."zipSha256" IS NOT old."zipSha256" OR new."zipSize" IS NOT old."zipSize" OR new."problem" IS NOT old."problem"
)
BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

CREATE TRIGGER "DoorPackage_published_delete" AFTER DELETE ON "DoorPackage" BEGIN
  UPDATE "OfferRevision" SET "value" = "value" + 1;
END;

-- Installs by skill: holds all that the sums read.
DROP INDEX "InstallCount_skillId_idx";
CREATE INDEX "InstallCount_skillId_day_count_idx" ON "InstallCount"("skillId", "day", "count");

-- Numbers of skills by owner, for publishers.
CREATE INDEX "Skill_deletedAt_ownerKey_ownerId_visibility_idx" ON "Skill"("deletedAt", "ownerKey", "ownerId", "visibility");
