-- Lists of distribution endpoints are kept in memory under the revision of agent offers (lib/distribution/active-versions.ts).
-- So the revision also rises with what only those lists contain: deprecations, approvals that count, publishers, packages.
-- A package that is built does not count: a list that lacks one is not kept for more than a minute.
-- The triggers of the migration agent_sessions cover the other columns. Skills that are off and stay off do not count.

CREATE TRIGGER "Skill_published_update" AFTER UPDATE OF "category", "license", "deprecatedAt", "deprecatedReason", "replacedById", "createdAt" ON "Skill" FOR EACH ROW
WHEN ((old."enabled" OR new."enabled") AND (
  new."category" IS DISTINCT FROM old."category" OR new."license" IS DISTINCT FROM old."license" OR
  new."deprecatedAt" IS DISTINCT FROM old."deprecatedAt" OR
  new."deprecatedReason" IS DISTINCT FROM old."deprecatedReason" OR
  new."replacedById" IS DISTINCT FROM old."replacedById" OR new."createdAt" IS DISTINCT FROM old."createdAt"
)) EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "Version_published_update" AFTER UPDATE OF "number", "changelog", "createdAt", "decidedAt", "tampered", "createdById", "submittedById" ON "Version" FOR EACH ROW
WHEN ((old."state" = 'approved' OR new."state" = 'approved') AND (
  new."number" IS DISTINCT FROM old."number" OR new."changelog" IS DISTINCT FROM old."changelog" OR
  new."createdAt" IS DISTINCT FROM old."createdAt" OR new."decidedAt" IS DISTINCT FROM old."decidedAt" OR
  new."tampered" IS DISTINCT FROM old."tampered" OR new."createdById" IS DISTINCT FROM old."createdById" OR
  new."submittedById" IS DISTINCT FROM old."submittedById"
)) EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "Decision_published_update" AFTER UPDATE OF "versionId", "standing", "statement" ON "Decision" FOR EACH ROW
WHEN ((old."standing" = 'counts' OR new."standing" = 'counts') AND (
  new."versionId" IS DISTINCT FROM old."versionId" OR new."standing" IS DISTINCT FROM old."standing" OR
  new."statement" IS DISTINCT FROM old."statement"
)) EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "Publisher_published_update" AFTER UPDATE OF "id", "handle", "displayName", "userId", "verifiedAt" ON "Publisher" FOR EACH ROW
WHEN ((
  new."id" IS DISTINCT FROM old."id" OR new."handle" IS DISTINCT FROM old."handle" OR
  new."displayName" IS DISTINCT FROM old."displayName" OR new."userId" IS DISTINCT FROM old."userId" OR
  new."verifiedAt" IS DISTINCT FROM old."verifiedAt"
)) EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "Decision_published_insert" AFTER INSERT ON "Decision" FOR EACH ROW WHEN (new."standing" = 'counts')
EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "Decision_published_delete" AFTER DELETE ON "Decision" FOR EACH ROW WHEN (old."standing" = 'counts')
EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "Publisher_published_insert" AFTER INSERT ON "Publisher" FOR EACH ROW
EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "Publisher_published_delete" AFTER DELETE ON "Publisher" FOR EACH ROW
EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "DoorPackage_published_update" AFTER UPDATE OF "versionId", "format", "form", "name", "description", "files", "zipSha256", "zipSize", "problem" ON "DoorPackage" FOR EACH ROW
WHEN (
  new."versionId" IS DISTINCT FROM old."versionId" OR new."format" IS DISTINCT FROM old."format" OR
  new."form" IS DISTINCT FROM old."form" OR new."name" IS DISTINCT FROM old."name" OR
  new."description" IS DISTINCT FROM old."description" OR new."files" IS DISTINCT FROM old."files" OR
  new."zipSha256" IS DISTINCT FROM old."zipSha256" OR new."zipSize" IS DISTINCT FROM old."zipSize" OR
  new."problem" IS DISTINCT FROM old."problem"
) EXECUTE FUNCTION "raiseOfferRevision"();

CREATE TRIGGER "DoorPackage_published_delete" AFTER DELETE ON "DoorPackage" FOR EACH ROW
EXECUTE FUNCTION "raiseOfferRevision"();

-- Installs by skill: holds all that the sums read.
DROP INDEX "InstallCount_skillId_idx";
CREATE INDEX "InstallCount_skillId_day_count_idx" ON "InstallCount"("skillId", "day", "count");

-- Numbers of skills by owner, for publishers.
CREATE INDEX "Skill_deletedAt_ownerKey_ownerId_visibility_idx" ON "Skill"("deletedAt", "ownerKey", "ownerId", "visibility");
