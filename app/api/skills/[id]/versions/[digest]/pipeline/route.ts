import { z } from "zod";
import { route } from "@/lib/http/route";
import { getPipeline } from "@/lib/skills/pipeline/plan-pipeline";
import { PipelinePlan } from "@/lib/skills/pipeline/schema";

export const GET = route({
  access: "read",
  summary: "Plan of a pipeline for you now, with its problems",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: PipelinePlan,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getPipeline(ctx, params.id, params.digest),
});
