import { type RecordedRun, recordRunEvent } from "@/lib/audit/record-run-event";
import { measures } from "@/lib/core/measures";
import type { Ctx, Tx } from "@/lib/db/context";
import { updateRows } from "@/lib/db/rows";
import { advanceParentOf } from "@/lib/runner/pipelines/advance-pipeline";
import type { RunState } from "@/lib/runner/schema";
import type { Outcome } from "@/lib/worker/protocol";

type HeldRun = RecordedRun & {
  fence: number;
  startedAt: Date | null;
  /** Looked up when it is not said. */
  parentRunId?: string | null;
};

/** Writes how a run ended, once: only while it is running under this fence. Answers whether this was the one. */
export async function finishRun(tx: Tx, ctx: Ctx, run: HeldRun, outcome: Outcome): Promise<boolean> {
  const state: RunState =
    outcome.error === null ? "succeeded" : outcome.error.code === "cancelled" ? "cancelled" : "failed";
  const finishedAt = ctx.now();
  const startedAt = new Date(outcome.startedAt);
  const count = await updateRows(
    ctx.database.writeSql,
    "Run",
    { id: run.id, state: "running", fence: run.fence },
    {
      state,
      result: outcome.error === null ? JSON.stringify(outcome.result ?? null) : null,
      rawOutput: outcome.rawOutput,
      errorCode: outcome.error?.code ?? null,
      errorMessage: outcome.error?.message ?? null,
      exitCode: outcome.exitCode,
      signal: outcome.signal,
      timedOut: outcome.timedOut,
      truncated: outcome.truncated,
      startedAt,
      finishedAt,
      durationMs: Math.round(outcome.durationMs * 10) / 10,
      sandboxMs: outcome.sandboxMs,
      warm: outcome.warm,
      cpuMs: outcome.cpuMs,
      peakMemoryBytes: outcome.peakMemoryBytes,
      leaseUntil: null,
      unacknowledged: false,
    },
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
    durationMs: Math.round(outcome.durationMs * 10) / 10,
    data: {
      exitCode: outcome.exitCode,
      signal: outcome.signal,
      timedOut: outcome.timedOut,
      truncated: outcome.truncated,
      durationMs: Math.round(outcome.durationMs * 10) / 10,
      error: outcome.error,
    },
  });
  const { runsEnded, runSeconds } = measures();
  runsEnded.inc({ state });
  runSeconds.observe({ class: run.class }, outcome.durationMs / 1000);
  if (run.parentRunId !== null) await advanceParentOf(tx, ctx, run.id);
  return true;
}

function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
