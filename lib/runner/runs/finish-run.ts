import { type RecordedRun, recordRunEvent } from "@/lib/audit/record-run-event";
import { metrics } from "@/lib/core/metrics";
import type { Ctx, Tx } from "@/lib/db/context";
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
