import type { PipelineSteps } from "@/lib/runner/pipelines/schema";
import type { PipelinePlan } from "@/lib/skills/pipeline/schema";
import { answerOf } from "./api";
import { answerQuery } from "./queries";
import { hasEnded } from "./runs";
import { versionPath } from "./versions";

const pollMs = 2_000;

/**
 * Steps of a pipeline run; polled until all have ended. An answer from just before the end of the run may still show a
 * running step, so `isOver` alone does not stop the polling.
 */
export const runStepsQuery = (runId: string, isOver: boolean) =>
  answerQuery(["runs", "steps", runId], `/api/runs/${encodeURIComponent(runId)}/steps`, answerOf<PipelineSteps>(), {
    staleTime: 500,
    refetchInterval: ({ state }) => (isOver && isSettled(state.data) ? false : pollMs),
  });

function isSettled(answer: PipelineSteps | undefined): boolean {
  return answer?.steps.every(({ run }) => run === null || hasEnded(run.state)) ?? false;
}

/** Plan of a pipeline version; it changes with the skills of its steps. */
export const pipelinePlanQuery = (skillId: string, digest: string) =>
  answerQuery(
    ["pipeline-plan", skillId, digest],
    `${versionPath(skillId, digest)}/pipeline`,
    answerOf<PipelinePlan>(),
    {
      staleTime: 10_000,
    },
  );
