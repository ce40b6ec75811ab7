import { z } from "zod";
import { cancelEvaluation } from "@/lib/agent/evals/evaluations";
import { EvaluationDetail } from "@/lib/agent/evals/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "run",
  summary: "Stop an evaluation; finished cases stay",
  params: z.object({ id: z.string() }),
  answer: EvaluationDetail,
  handle: ({ ctx, params }) => cancelEvaluation(ctx, params.id),
});
