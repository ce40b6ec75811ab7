-- Grows with each change of what the checks of a stored approval read, except skills: what was found out before is stale.
-- Prisma does not know this table; lib/db/approval-revision.ts alone reads it.
CREATE TABLE "ApprovalRevision" ("id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1), "value" INTEGER NOT NULL);
INSERT INTO "ApprovalRevision" ("id", "value") VALUES (1, 1);
CREATE FUNCTION "raiseApprovalRevision"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
  RETURN NULL;
END $$;
-- For statements that add or remove files: imports of other versions do not count.
CREATE FUNCTION "raiseApprovalRevisionForFiles"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM changed c JOIN "Version" v ON v."id" = c."versionId" WHERE v."state" = 'approved') THEN
    UPDATE "ApprovalRevision" SET "value" = "value" + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Version_approval_update" AFTER UPDATE OF "state", "digest", "manifest", "class", "grants", "entry", "subject", "skillId", "number", "createdById", "submittedById" ON "Version" FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "Version_approval_delete" AFTER DELETE ON "Version" FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "VersionFile_approval_insert" AFTER INSERT ON "VersionFile" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevisionForFiles"();
CREATE TRIGGER "VersionFile_approval_update" AFTER UPDATE ON "VersionFile" FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "VersionFile_approval_delete" AFTER DELETE ON "VersionFile" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevisionForFiles"();
CREATE TRIGGER "Decision_approval_insert" AFTER INSERT ON "Decision" FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "Decision_approval_update" AFTER UPDATE ON "Decision" FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "Decision_approval_delete" AFTER DELETE ON "Decision" FOR EACH STATEMENT EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "AuditEvent_approval_insert" AFTER INSERT ON "AuditEvent" FOR EACH ROW WHEN (new."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate')) EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "AuditEvent_approval_update" AFTER UPDATE ON "AuditEvent" FOR EACH ROW WHEN (old."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate') OR new."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate')) EXECUTE FUNCTION "raiseApprovalRevision"();
CREATE TRIGGER "AuditEvent_approval_delete" AFTER DELETE ON "AuditEvent" FOR EACH ROW WHEN (old."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate')) EXECUTE FUNCTION "raiseApprovalRevision"();
