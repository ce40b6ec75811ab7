import { z } from "zod";
import { route } from "@/lib/http/route";
import { decideRun } from "@/lib/runner/approvals/decide-run";
import { Run, RunDecisionInput } from "@/lib/runner/schema";

export const POST = route({
  access: "run",
  summary: "Approve or reject a run awaiting approval",
  params: z.object({ id: z.string() }),
  body: RunDecisionInput,
  answer: Run,
  handle: ({ ctx, params, body }) => decideRun(ctx, params.id, body),
});
