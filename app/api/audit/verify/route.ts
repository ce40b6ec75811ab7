import { AuditVerification } from "@/lib/audit/chain/schema";
import { verifyAudit } from "@/lib/audit/verify-audit";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "review",
  summary: "Verify the whole audit chain and return the first invalid event; one verification at a time",
  answer: AuditVerification,
  handle: ({ ctx }) => verifyAudit(ctx),
});
