import { route } from "@/lib/http/route";
import { listRuns } from "@/lib/runner/runs/list-runs";
import { ListRunsQuery, RunPage } from "@/lib/runner/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "List runs you may see, newest first",
  query: ListRunsQuery,
  answer: RunPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listRuns(ctx, query),
});
