import { z } from "zod";
import { route } from "@/lib/http/route";
import { cancelRun } from "@/lib/runner/runs/cancel-runs";
import { Run } from "@/lib/runner/schema";

export const POST = route({
  access: "run",
  agents: "open",
  summary: "Cancel a run",
  params: z.object({ id: z.string() }),
  answer: Run,
  handle: ({ ctx, params }) => cancelRun(ctx, params.id),
});
