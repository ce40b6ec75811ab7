import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { finishRun } from "./finish-run";
import { isTriedAgain, type LostRun, retryLostRun } from "./retry-lost-run";

/** Ends runs whose worker has not been heard of for longer than their lease; answers how many. */
export async function failLostRuns(ctx: Ctx): Promise<number> {
  const where = { state: "running", leaseUntil: { lt: ctx.now() } };
  if ((await ctx.db.run.count({ where })) === 0) return 0;
  const lost = await inTransaction(ctx, async (tx, txCtx) => {
    const runs = await tx.run.findMany({ where, include: { skill: true, worker: true } });
    for (const run of runs) {
      await failRun(tx, txCtx, run, `Worker “${run.worker?.name ?? "unknown"}” was lost while this run was under way.`);
    }
    return runs.map((run) => run.id);
  });
  for (const runId of lost) wake(`run:${runId}`);
  wake("work");
  return lost.length;
}

/**
 * Ends one run as failed because its worker is gone. What it did until then is not known; one that changes nothing is
 * queued once more. Call `wake("work")` after the transaction.
 */
export async function failRun(tx: Tx, ctx: Ctx, run: LostRun, message: string): Promise<void> {
  const startedAt = run.startedAt ?? ctx.now();
  const next = isTriedAgain(run) ? " It is safe, so it is tried once more." : "";
  const hasEnded = await finishRun(tx, ctx, run, {
    error: { code: "worker_lost", message: `${message} What it did until then is not known.${next}` },
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
