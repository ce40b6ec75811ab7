-- Grows with each change of what the checks of a stored approval read, except skills: what was found out before is stale.
-- Prisma does not know this table; lib/db/approval-revision.ts alone reads it.
CREATE TABLE "ApprovalRevision" ("id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1), "value" INTEGER NOT NULL);
INSERT INTO "ApprovalRevision" ("id", "value") VALUES (1, 1);

CREATE TRIGGER "Version_approval_update" AFTER UPDATE OF "state", "digest", "manifest", "class", "grants", "entry", "subject", "skillId", "number", "createdById", "submittedById" ON "Version" BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Version_approval_delete" AFTER DELETE ON "Version" BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "VersionFile_approval_insert" AFTER INSERT ON "VersionFile" WHEN EXISTS (SELECT 1 FROM "Version" WHERE "id" = new."versionId" AND "state" = 'approved') BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "VersionFile_approval_update" AFTER UPDATE ON "VersionFile" BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "VersionFile_approval_delete" AFTER DELETE ON "VersionFile" WHEN EXISTS (SELECT 1 FROM "Version" WHERE "id" = old."versionId" AND "state" = 'approved') BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Decision_approval_insert" AFTER INSERT ON "Decision" BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Decision_approval_update" AFTER UPDATE ON "Decision" BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "Decision_approval_delete" AFTER DELETE ON "Decision" BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "AuditEvent_approval_insert" AFTER INSERT ON "AuditEvent" WHEN new."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate') BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "AuditEvent_approval_update" AFTER UPDATE ON "AuditEvent" WHEN old."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate') OR new."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate') BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
CREATE TRIGGER "AuditEvent_approval_delete" AFTER DELETE ON "AuditEvent" WHEN old."action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate') BEGIN
  UPDATE "ApprovalRevision" SET "value" = "value" + 1;
END;
