import { readHistogram } from "@/lib/audit/read-histogram";
import { AuditHistogram, AuditHistogramQuery } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Audit events over time, optionally by actor or tool",
  query: AuditHistogramQuery,
  answer: AuditHistogram,
  answersFrom: "rows",
  handle: ({ ctx, query }) => readHistogram(ctx, query),
});
