-- Activations are among what each start asks of the audit; the database uses the index only for the same list of actions.
DROP INDEX "AuditEvent_decisions_idx";
CREATE INDEX "AuditEvent_decisions_idx" ON "AuditEvent"("skillId", "seq")
  WHERE "action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate');
