-- What the audit says of a skill's approvals, which each start asks. Of few events, so that the others cost nothing.
CREATE INDEX "AuditEvent_decisions_idx" ON "AuditEvent"("skillId", "seq")
  WHERE "action" IN ('version.approve', 'version.revoke', 'version.returned');
