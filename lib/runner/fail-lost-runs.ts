import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { finishRun } from "./finish-run";
import { isTriedAgain, type LostRun, retryLostRun } from "./retry-lost-run";
import { requeueUnacknowledged } from "./undelivered-leases";

/** Ends runs whose worker has not been heard of for longer than their lease; answers how many. */
export async function failLostRuns(ctx: Ctx): Promise<number> {
  const where = { state: "running", leaseUntil: { lt: ctx.now() } };
  if ((await ctx.db.run.count({ where })) === 0) return 0;
  const lost = await inTransaction(ctx, async (tx, txCtx) => {
    const runs = await tx.run.findMany({ where, include: { skill: true, worker: true } });
    for (const run of runs) {
      await settleLostRun(
        tx,
        txCtx,
        run,
        `Worker “${run.worker?.name ?? "unknown"}” was lost while this run was under way.`,
      );
    }
    return runs.map((run) => run.id);
  });
  for (const runId of lost) wake(`run:${runId}`);
  wake("work");
  return lost.length;
}

/** So often a run is handed out without an acknowledgement; what ends its workers each time must not go on for ever. */
const MAX_FENCE = 10;

/**
 * Settles a run whose worker is gone: it waits again when the worker had not acknowledged the lease, since it was not
 * started, or changes nothing. Otherwise it ends. Call `wake("work")` after the transaction.
 */
export async function settleLostRun(tx: Tx, ctx: Ctx, run: LostRun, message: string): Promise<void> {
  if (run.unacknowledged && run.cancelReason === null && run.fence < MAX_FENCE) {
    await requeueUnacknowledged(tx, ctx, run);
    return;
  }
  await failRun(tx, ctx, run, message);
}

/**
 * Ends one run as failed because its worker is gone. What it did until then is not known; one that changes nothing is
 * queued once more.
 */
async function failRun(tx: Tx, ctx: Ctx, run: LostRun, message: string): Promise<void> {
  const startedAt = run.startedAt ?? ctx.now();
  const isCancelled = run.unacknowledged && run.cancelReason !== null;
  const known = run.unacknowledged
    ? `No worker acknowledged it, although it was handed over ${run.fence} times.`
    : "What it did until then is not known.";
  const next = isTriedAgain(run) ? " It is safe, so it is tried once more." : "";
  const hasEnded = await finishRun(tx, ctx, run, {
    error: isCancelled
      ? { code: "cancelled", message: run.cancelReason ?? "" }
      : { code: "worker_lost", message: `${message} ${known}${next}` },
    exitCode: null,
    signal: null,
    timedOut: false,
    truncated: false,
    startedAt: startedAt.toISOString(),
    finishedAt: ctx.now().toISOString(),
    durationMs: Math.max(0, ctx.now().getTime() - startedAt.getTime()),
    rawOutput: null,
  });
  if (hasEnded && next !== "") await retryLostRun(tx, ctx, run);
}
