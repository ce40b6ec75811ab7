import { z } from "zod";
import { route } from "@/lib/http/route";
import { getRun } from "@/lib/runner/runs/get-run";
import { Run } from "@/lib/runner/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "One run with its result",
  params: z.object({ id: z.string() }),
  answer: Run,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getRun(ctx, params.id),
});
