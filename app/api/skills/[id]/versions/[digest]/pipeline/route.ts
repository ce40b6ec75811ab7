import { z } from "zod";
import { route } from "@/lib/http/route";
import { getPipeline } from "@/lib/skills/pipeline/plan-pipeline";
import { PipelinePlan } from "@/lib/skills/pipeline/schema";

export const GET = route({
  access: "read",
  summary: "What the steps of a pipeline would call for the caller now, and what is against it",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: PipelinePlan,
  handle: ({ ctx, params }) => getPipeline(ctx, params.id, params.digest),
});
