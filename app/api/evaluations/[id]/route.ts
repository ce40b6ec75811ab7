import { z } from "zod";
import { getEvaluation } from "@/lib/agent/evals/evaluations";
import { EvaluationDetail } from "@/lib/agent/evals/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "An evaluation with both answers per case",
  params: z.object({ id: z.string() }),
  answer: EvaluationDetail,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getEvaluation(ctx, params.id),
});
