import type { z } from "zod";
import type {
  Evaluation,
  EvaluationDetail,
  EvaluationPage,
  StartEvaluationInput,
  VersionEvals,
} from "@/lib/agent/evals/schema";
import { answerOf, listOf, sendPost } from "./api";
import { answerQuery, pagesQuery } from "./queries";

export const evaluationsKey = ["evaluations"] as const;
const pollMs = 2_000;

export const skillEvaluationsQuery = (skillId: string) =>
  pagesQuery(
    [...evaluationsKey, "skill", skillId],
    `/api/skills/${skillId}/evaluations`,
    { limit: 20 },
    listOf<z.infer<typeof EvaluationPage>>(),
    {
      refetchInterval: ({ state }) =>
        state.data?.pages.some((page) => page.items.some((item) => item.state === "running")) ? pollMs : false,
    },
  );

export const evaluationQuery = (id: string | null) =>
  answerQuery([...evaluationsKey, "one", id], `/api/evaluations/${id}`, answerOf<EvaluationDetail>(), {
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? pollMs : false),
  });

export const versionEvalsQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...evaluationsKey, "cases", skillId, digest],
    `/api/skills/${skillId}/versions/${digest}/evals`,
    answerOf<VersionEvals>(),
    { enabled: digest !== "", staleTime: 60_000 },
  );

export const startEvaluation = (skillId: string, input: z.input<typeof StartEvaluationInput>) =>
  sendPost(`/api/skills/${skillId}/evaluations`, answerOf<Evaluation>(), input);

export const cancelEvaluation = (id: string) => sendPost(`/api/evaluations/${id}/cancel`, answerOf<EvaluationDetail>());
