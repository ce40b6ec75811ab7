import { listAuditFacets } from "@/lib/audit/list-facets";
import { AuditFacets } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Values of the audit filters",
  answer: AuditFacets,
  answersFrom: "rows",
  handle: ({ ctx }) => listAuditFacets(ctx),
});
