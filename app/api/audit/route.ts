import { listEvents } from "@/lib/audit/list-events";
import { AuditPage, ListAuditQuery } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List audit events, newest first: your own, or all for reviewers and admins",
  query: ListAuditQuery,
  answer: AuditPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listEvents(ctx, query),
});
