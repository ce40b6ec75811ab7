import { z } from "zod";
import { listEvaluations } from "@/lib/agent/evals/evaluations";
import { Evaluation, EvaluationPage, ListEvaluationsQuery, StartEvaluationInput } from "@/lib/agent/evals/schema";
import { startEvaluation } from "@/lib/agent/evals/start-evaluation";
import { route } from "@/lib/http/route";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "read",
  summary: "List evaluations of a skill with their figures, newest first",
  params,
  query: ListEvaluationsQuery,
  answer: EvaluationPage,
  answersFrom: "rows",
  handle: ({ ctx, params, query }) => listEvaluations(ctx, params.id, query),
});

export const POST = route({
  access: "run",
  summary: "Evaluate a version: a model answers its cases with and without the skill",
  params,
  body: StartEvaluationInput,
  answer: Evaluation,
  status: 201,
  handle: ({ ctx, params, body }) => startEvaluation(ctx, params.id, body),
});
