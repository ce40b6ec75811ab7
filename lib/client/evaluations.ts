import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type EvalAnswer,
  Evaluation,
  EvaluationDetail,
  EvaluationPage,
  type StartEvaluationInput,
  VersionEvals,
} from "@/lib/agent/evals/schema";
import { api, withQuery } from "./api";

export type { EvalAnswer, Evaluation, EvaluationDetail };

export const evaluationsKey = ["evaluations"] as const;
const workingMs = 2_000;

/** Evaluations of a skill, newest first; looked at again while one is at work. */
export const skillEvaluationsQuery = (skillId: string) =>
  infiniteQueryOptions({
    queryKey: [...evaluationsKey, "skill", skillId],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery(`/api/skills/${skillId}/evaluations`, { limit: 20, cursor: pageParam }), {
        schema: EvaluationPage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((item) => item.state === "running")) ? workingMs : false,
  });

/** One with its answers, also while they come in. */
export const evaluationQuery = (id: string | null) =>
  queryOptions({
    queryKey: [...evaluationsKey, "one", id],
    queryFn: ({ signal }) => api(`/api/evaluations/${id}`, { schema: EvaluationDetail, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? workingMs : false),
  });

/** The cases that a version carries. */
export const versionEvalsQuery = (skillId: string, digest: string) =>
  queryOptions({
    queryKey: [...evaluationsKey, "cases", skillId, digest],
    queryFn: ({ signal }) => api(`/api/skills/${skillId}/versions/${digest}/evals`, { schema: VersionEvals, signal }),
    enabled: digest !== "",
    staleTime: 60_000,
  });

export function startEvaluation(skillId: string, input: z.input<typeof StartEvaluationInput>): Promise<Evaluation> {
  return api(`/api/skills/${skillId}/evaluations`, { method: "POST", body: input, schema: Evaluation });
}

export function cancelEvaluation(id: string): Promise<EvaluationDetail> {
  return api(`/api/evaluations/${id}/cancel`, { method: "POST", schema: EvaluationDetail });
}
