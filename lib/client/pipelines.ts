import { queryOptions } from "@tanstack/react-query";
import { PipelineSteps } from "@/lib/runner/pipelines/schema";
import { PipelinePlan } from "@/lib/skills/pipeline/schema";
import { api } from "./api";
import { hasEnded } from "./runs";
import { versionPath } from "./versions";

const soonMs = 2_000;

/**
 * The steps of a pipeline run; asked for again while it has not ended, and whenever it says something new. An answer that
 * was under way when the run ended may still show a step going on, so the steps themselves say when to ask no more.
 */
export function runStepsQuery(runId: string, isOver: boolean) {
  return queryOptions({
    queryKey: ["runs", "steps", runId],
    queryFn: ({ signal }) => api(`/api/runs/${encodeURIComponent(runId)}/steps`, { schema: PipelineSteps, signal }),
    staleTime: 500,
    refetchInterval: ({ state }) => (isOver && isSettled(state.data) ? false : soonMs),
  });
}

function isSettled(answer: PipelineSteps | undefined): boolean {
  return answer?.steps.every(({ run }) => run === null || hasEnded(run.state)) ?? false;
}

/** What a version of a pipeline would do now: its steps' skills come, go and change without it. */
export function pipelinePlanQuery(skillId: string, digest: string) {
  return queryOptions({
    queryKey: ["pipeline-plan", skillId, digest],
    queryFn: ({ signal }) => api(`${versionPath(skillId, digest)}/pipeline`, { schema: PipelinePlan, signal }),
    staleTime: 10_000,
  });
}
