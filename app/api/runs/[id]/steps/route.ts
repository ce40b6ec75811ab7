import { z } from "zod";
import { route } from "@/lib/http/route";
import { listSteps } from "@/lib/runner/pipelines/list-steps";
import { PipelineSteps } from "@/lib/runner/pipelines/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Steps of a pipeline run in order, with the runs of started steps",
  params: z.object({ id: z.string() }),
  answer: PipelineSteps,
  answersFrom: "rows",
  handle: ({ ctx, params }) => listSteps(ctx, params.id),
});
