import { route } from "@/lib/http/route";
import { summarizeRuns } from "@/lib/runner/runs/summarize-runs";
import { RunSummary, RunSummaryQuery } from "@/lib/runner/schema";

export const GET = route({
  access: "read",
  summary: "Number and duration of runs over time",
  query: RunSummaryQuery,
  answer: RunSummary,
  answersFrom: "rows",
  handle: ({ ctx, query }) => summarizeRuns(ctx, query),
});
