import { listAuditFacets } from "@/lib/audit/list-facets";
import { AuditFacets } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "What the audit filters can be set to",
  answer: AuditFacets,
  handle: ({ ctx }) => listAuditFacets(ctx),
});
