import { AuditVerification } from "@/lib/audit/chain/schema";
import { verifyAudit } from "@/lib/audit/verify-audit";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "review",
  summary: "Checks the whole chain of the audit and names the first event that does not hold; one check at a time",
  answer: AuditVerification,
  handle: ({ ctx }) => verifyAudit(ctx),
});
