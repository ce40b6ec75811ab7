import { route } from "@/lib/http/route";
import { cancelRuns } from "@/lib/runner/runs/cancel-runs";
import { CancelRunsAnswer, CancelRunsInput } from "@/lib/runner/schema";

export const POST = route({
  access: "run",
  summary: "Cancel up to 100 runs; answers the result of each",
  body: CancelRunsInput,
  answer: CancelRunsAnswer,
  handle: ({ ctx, body }) => cancelRuns(ctx, body),
});
