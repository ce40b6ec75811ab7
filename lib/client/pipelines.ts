import { PipelineSteps } from "@/lib/runner/pipelines/schema";
import { PipelinePlan } from "@/lib/skills/pipeline/schema";
import { answerQuery } from "./queries";
import { hasEnded } from "./runs";
import { versionPath } from "./versions";

const soonMs = 2_000;

/**
 * The steps of a pipeline run; asked for again while it has not ended, and whenever it says something new. An answer that
 * was under way when the run ended may still show a step going on, so the steps themselves say when to ask no more.
 */
export const runStepsQuery = (runId: string, isOver: boolean) =>
  answerQuery(["runs", "steps", runId], `/api/runs/${encodeURIComponent(runId)}/steps`, PipelineSteps, {
    staleTime: 500,
    refetchInterval: ({ state }) => (isOver && isSettled(state.data) ? false : soonMs),
  });

function isSettled(answer: PipelineSteps | undefined): boolean {
  return answer?.steps.every(({ run }) => run === null || hasEnded(run.state)) ?? false;
}

/** What a version of a pipeline would do now: its steps' skills come, go and change without it. */
export const pipelinePlanQuery = (skillId: string, digest: string) =>
  answerQuery(["pipeline-plan", skillId, digest], `${versionPath(skillId, digest)}/pipeline`, PipelinePlan, {
    staleTime: 10_000,
  });
