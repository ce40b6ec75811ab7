import { route } from "@/lib/http/route";
import { summarizeRuns } from "@/lib/runner/runs/summarize-runs";
import { RunSummary, RunSummaryQuery } from "@/lib/runner/schema";

export const GET = route({
  access: "read",
  summary: "How many runs there were and how long they took, over time",
  query: RunSummaryQuery,
  answer: RunSummary,
  handle: ({ ctx, query }) => summarizeRuns(ctx, query),
});
