import { ListTracesQuery, TracePage } from "@/lib/agent/traces/schema";
import { listTraces } from "@/lib/agent/traces/traces";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List uses of skills from every surface, newest first",
  query: ListTracesQuery,
  answer: TracePage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listTraces(ctx, query),
});
