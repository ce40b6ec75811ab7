import { TraceFigures, TraceFiguresQuery } from "@/lib/agent/traces/schema";
import { sumTraces } from "@/lib/agent/traces/sum-traces";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Uses, success, duration and ratings by skill or version",
  query: TraceFiguresQuery,
  answer: TraceFigures,
  answersFrom: "rows",
  handle: ({ ctx, query }) => sumTraces(ctx, query),
});
