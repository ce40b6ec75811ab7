import { type RecordedRun, recordRunEvent } from "@/lib/audit/record-run-event";
import type { AuditOutcome } from "@/lib/audit/schema";
import { AppError } from "@/lib/core/errors";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { advanceParentOf } from "@/lib/runner/pipelines/advance-pipeline";
import type { RunState } from "@/lib/runner/schema";

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
