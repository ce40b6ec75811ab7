import { recordRunEvent } from "@/lib/audit/record-run-event";
import { keepParsed } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { type WakeTopic, wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { SkillManifest } from "@/lib/skill-format/schema";
import { PIPELINE_SCOPE, type RunState } from "../schema";
import { isOver, loadSteps, type PipelineRun, type StepRun } from "./load-pipeline";

/** Maximum size of the step results that a pipeline stores, in characters of JSON; larger results stay in the steps only. */
const MAX_RESULTS = 4 * 1024 * 1024;

type Failure = { code: string; message: string; timedOut?: boolean };

/** Ends a pipeline as failed, with its unfinished steps. Returns the pipeline that it is a step of. */
export async function failPipeline(tx: Tx, ctx: Ctx, run: PipelineRun, failure: Failure): Promise<string | null> {
  const { code, message, timedOut = false } = failure;
  return end(tx, ctx, run, { state: "failed", errorCode: code, errorMessage: message, timedOut });
}

/** Ends a pipeline whose steps all succeeded. Returns the pipeline that it is a step of. */
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

/** The result of a step for later steps; of a pipeline, the result of its last step. */
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
  await appendRunLog(ctx, run.id, isDone ? "Pipeline succeeded." : `Pipeline failed. ${data.errorMessage}`);
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

/** Cancels the unfinished steps of an ended pipeline: waiting ones at once, running ones through their worker. */
export async function cancelSteps(tx: Tx, ctx: Ctx, parentRunId: string, reason: string): Promise<void> {
  for (const step of await loadSteps({ db: tx }, parentRunId)) {
    if (isOver(step)) continue;
    const isHeld = step.state === "running" && step.scope !== PIPELINE_SCOPE;
    const ended = { state: "cancelled", finishedAt: ctx.now(), errorCode: "cancelled", errorMessage: reason };
    await tx.run.update({ where: { id: step.id }, data: { cancelReason: reason, ...(isHeld ? {} : ended) } });
    const summary = `cancelled a run of ${step.skill.name} with its pipeline`;
    const worker = step.workerId === null ? null : await tx.worker.findUnique({ where: { id: step.workerId } });
    await recordRunEvent(tx, ctx, { ...step, worker }, { action: "run.cancel", summary, data: { reason } });
    if (step.scope === PIPELINE_SCOPE) await cancelSteps(tx, ctx, step.id, reason);
    wakeAfterCommit(ctx, ["work", `run:${step.id}`]);
  }
}

const INSERT_EVENT = query(
  `INSERT INTO "RunEvent" ("runId", "seq", "at", "stream", "text") VALUES (?, ?, ?, 'system', ?)`,
);
const LAST = query<{ last: number | null }>(`SELECT MAX("seq") AS "last" FROM "RunEvent" WHERE "runId" = ?`);

/** Adds a line by the server to a run's log. Only for runs that no worker holds, since workers number their lines themselves. */
export async function appendRunLog(ctx: Ctx, runId: string, text: string): Promise<void> {
  const last = (await sqlOf(ctx).get(LAST, runId))?.last ?? 0;
  await ctx.database.writeSql.run(INSERT_EVENT, runId, last + 1, ctx.now(), text);
}

/**
 * Wakes listeners after the current transaction: an empty transaction queues behind it and mostly shares its commit. If the
 * process ends before, listeners notice the change by their periodic checks.
 */
export function wakeAfterCommit(ctx: Pick<Ctx, "database">, topics: readonly WakeTopic[]): void {
  ctx.database.writes
    .enter(async () => undefined, { quick: true })
    .then(() => {
      for (const topic of topics) wake(topic);
    })
    .catch((err: unknown) => logger.debug({ err }, "listeners were not woken after a transaction"));
}
