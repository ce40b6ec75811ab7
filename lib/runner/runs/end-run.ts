import { type RecordedRun, recordRunEvent } from "@/lib/audit/record-run-event";
import type { AuditOutcome } from "@/lib/audit/schema";
import { AppError } from "@/lib/core/errors";
import { metrics } from "@/lib/core/metrics";
import { wake } from "@/lib/core/wake-bus";
import { type Ctx, inTransaction, type Tx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { advanceParentOf } from "@/lib/runner/pipelines/advance-pipeline";
import type { RunState } from "@/lib/runner/schema";
import type { Outcome } from "@/lib/worker/protocol";

const FINISH = query(
  `UPDATE "Run" SET "state" = ?, "result" = ?, "rawOutput" = ?, "errorCode" = ?, "errorMessage" = ?, "exitCode" = ?,
     "signal" = ?, "timedOut" = ?, "truncated" = ?, "startedAt" = ?, "finishedAt" = ?, "durationMs" = ?, "sandboxMs" = ?,
     "warm" = ?, "cpuMs" = ?, "peakMemoryBytes" = ?, "leaseUntil" = NULL, "unacknowledged" = ?
   WHERE "id" = ? AND "state" = 'running' AND "fence" = ?`,
);

type HeldRun = RecordedRun & {
  fence: number;
  startedAt: Date | null;
  parentRunId?: string | null;
};

export type UnstartedRun = RecordedRun & { state: string };

type End = {
  state: Extract<RunState, "failed" | "rejected" | "expired">;
  error: { code: string; message: string };
  event: { action: `run.${string}`; outcome: AuditOutcome; summary: string; decision?: "refuse" | "reject" };
};

/** Ends a run that has not started: `conflict` when its state has changed since it was read. */
export async function endUnstartedRun(tx: Tx, ctx: Ctx, run: UnstartedRun, end: End): Promise<void> {
  await moveRun(tx, run, {
    state: end.state,
    errorCode: end.error.code,
    errorMessage: end.error.message,
    finishedAt: ctx.now(),
  });
  await recordRunEvent(tx, ctx, run, {
    ...end.event,
    error: end.error,
    finishedAt: ctx.now(),
    data: { reason: end.error.message },
  });
  await advanceParentOf(tx, ctx, run.id);
}

type Change = { state: RunState; errorCode?: string; errorMessage?: string; finishedAt?: Date; queuedAt?: Date };

/** Moves a run from the state that was read to another; `conflict` when its state has changed. */
export async function moveRun(tx: Tx, run: Pick<UnstartedRun, "id" | "state">, data: Change): Promise<void> {
  const { count } = await tx.run.updateMany({ where: { id: run.id, state: run.state }, data });
  if (count === 0) throw new AppError("conflict", "Another person decided on this run at the same moment.");
}

const BATCH = 100;

/** Ends parked runs that were not decided in time; returns their number. */
export async function expireRuns(ctx: Ctx): Promise<number> {
  const where = { state: "awaiting_approval", expiresAt: { lte: ctx.now() } };
  if ((await ctx.db.run.count({ where })) === 0) return 0;
  const expired = await inTransaction(ctx, async (tx, txCtx) => {
    const runs = await tx.run.findMany({ where, include: { skill: true, worker: true }, take: BATCH });
    for (const run of runs) await expireRun(tx, txCtx, run);
    return runs.map((run) => run.id);
  });
  for (const runId of expired) wake(`run:${runId}`);
  return expired.length;
}

export async function expireRun(tx: Tx, ctx: Ctx, run: UnstartedRun): Promise<void> {
  await endUnstartedRun(tx, ctx, run, {
    state: "expired",
    error: { code: "expired", message: "It was not decided in time." },
    event: { action: "run.expire", outcome: "ok", summary: `a run of ${run.skill.name} expired undecided` },
  });
}

/** Stores how a run ended, only while it is running under this fence. Returns whether it did. */
export async function finishRun(tx: Tx, ctx: Ctx, run: HeldRun, outcome: Outcome): Promise<boolean> {
  const state: RunState =
    outcome.error === null ? "succeeded" : outcome.error.code === "cancelled" ? "cancelled" : "failed";
  const finishedAt = ctx.now();
  const startedAt = new Date(outcome.startedAt);
  const durationMs = Math.round(outcome.durationMs * 10) / 10;
  const { exitCode, signal, timedOut, truncated, error } = outcome;
  const result = error === null ? JSON.stringify(outcome.result ?? null) : null;
  const count = await ctx.database.writeSql.run(
    FINISH,
    ...[state, result, outcome.rawOutput, error?.code ?? null, error?.message ?? null, exitCode, signal],
    ...[timedOut, truncated, startedAt, finishedAt, durationMs, outcome.sandboxMs ?? null, outcome.warm ?? null],
    ...[outcome.cpuMs ?? null, outcome.peakMemoryBytes ?? null, false, run.id, run.fence],
  );
  if (count === 0) return false;
  const how = state === "succeeded" ? "finished" : state === "cancelled" ? "ended, as asked," : "failed";
  await recordRunEvent(tx, ctx, run, {
    action: state === "succeeded" ? "run.succeed" : state === "cancelled" ? "run.end" : "run.fail",
    outcome: state === "failed" ? "failed" : "ok",
    summary: `${how} ${run.skill.name} after ${formatDuration(outcome.durationMs)}`,
    ...(outcome.error === null ? { result: outcome.result ?? null } : { error: outcome.error }),
    startedAt,
    finishedAt,
    durationMs,
    data: { exitCode, signal, timedOut, truncated, durationMs, error },
  });
  const { runsEnded, runSeconds } = metrics();
  runsEnded.inc({ state });
  runSeconds.observe({ class: run.class }, outcome.durationMs / 1000);
  if (run.parentRunId !== null) await advanceParentOf(tx, ctx, run.id);
  return true;
}

function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
