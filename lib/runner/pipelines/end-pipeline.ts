import { recordRunEvent } from "@/lib/audit/record-run-event";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx, Tx } from "@/lib/db/context";
import { SkillManifest } from "@/lib/skill-format/schema";
import { PIPELINE_SCOPE } from "../pipeline-scope";
import type { RunState } from "../schema";
import { cancelSteps } from "./cancel-steps";
import { loadSteps, type PipelineRun, type StepRun } from "./load-pipeline";
import { sayOnRun } from "./say-on-run";

/** The most that a pipeline keeps of its steps' results, in characters of JSON; beyond it they stand in the steps alone. */
const MAX_RESULTS = 4 * 1024 * 1024;

type Failure = { code: string; message: string; timedOut?: boolean };

/** Ends a pipeline as failed, and what is under way below it. Answers the pipeline that it is a step of. */
export async function failPipeline(tx: Tx, ctx: Ctx, run: PipelineRun, failure: Failure): Promise<string | null> {
  const { code, message, timedOut = false } = failure;
  return end(tx, ctx, run, { state: "failed", errorCode: code, errorMessage: message, timedOut });
}

/**
 * Ends a pipeline whose steps all succeeded: the result of the last one, those of all, and the skill's text when it has one.
 * Answers the pipeline that it is a step of.
 */
export async function succeedPipeline(tx: Tx, ctx: Ctx, run: PipelineRun, manifest: string): Promise<string | null> {
  const { body } = keepParsed(SkillManifest, manifest);
  const steps = await loadSteps({ db: tx }, run.id);
  const told = steps.map((step) => ({
    ...{ key: step.stepKey, runId: step.id, state: step.state, result: outputOf(step) },
  }));
  const isTooMuch = JSON.stringify(told).length > MAX_RESULTS;
  const result = {
    result: told.at(-1)?.result ?? null,
    steps: isTooMuch ? told.map((step) => ({ ...step, result: null })) : told,
    ...(body.trim() === "" ? {} : { instructions: body }),
  };
  return end(tx, ctx, run, { state: "succeeded", result: JSON.stringify(result), truncated: isTooMuch });
}

/** What a step gives to those after it: its result; of a pipeline, the result of its last step. */
export function outputOf(step: Pick<StepRun, "result" | "scope">): unknown {
  const result: unknown = step.result === null ? null : JSON.parse(step.result);
  if (step.scope !== PIPELINE_SCOPE) return result;
  return typeof result === "object" && result !== null && "result" in result ? result.result : null;
}

type Data = {
  state: Extract<RunState, "succeeded" | "failed">;
  result?: string;
  truncated?: boolean;
  errorCode?: string;
  errorMessage?: string;
  timedOut?: boolean;
};

async function end(tx: Tx, ctx: Ctx, run: PipelineRun, data: Data): Promise<string | null> {
  const durationMs = run.startedAt === null ? null : Math.max(0, ctx.now().getTime() - run.startedAt.getTime());
  const where = { id: run.id, state: { in: ["queued", "running"] } };
  const { count } = await tx.run.updateMany({ where, data: { ...data, durationMs, finishedAt: ctx.now() } });
  if (count === 0) return null;
  const isDone = data.state === "succeeded";
  await sayOnRun(ctx, run.id, isDone ? "Pipeline succeeded." : `Pipeline failed. ${data.errorMessage}`);
  await recordRunEvent(
    tx,
    ctx,
    { ...run, worker: null },
    {
      action: isDone ? "run.succeed" : "run.fail",
      outcome: isDone ? "ok" : "failed",
      summary: `${isDone ? "finished" : "failed"} the pipeline ${run.skill.name}`,
      ...(data.result === undefined ? {} : { result: JSON.parse(data.result) as unknown }),
      ...(isDone ? {} : { error: { code: data.errorCode ?? "failed", message: data.errorMessage ?? "" } }),
      startedAt: run.startedAt,
      finishedAt: ctx.now(),
      durationMs,
      data: isDone ? { durationMs } : { durationMs, error: { code: data.errorCode, message: data.errorMessage } },
    },
  );
  if (!isDone) await cancelSteps(tx, ctx, run.id, `The pipeline “${run.skill.name}” has failed.`);
  return run.parentRunId;
}
