import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { finishRun } from "./finish-run";
import { wake } from "./wake-bus";

type Running = Parameters<typeof finishRun>[2];

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
  return lost.length;
}

/** Ends one run as failed because its worker is gone. What it did until then is not known. */
export async function failRun(tx: Tx, ctx: Ctx, run: Running, message: string): Promise<void> {
  const startedAt = run.startedAt ?? ctx.now();
  await finishRun(tx, ctx, run, {
    error: { code: "worker_lost", message: `${message} What it did until then is not known.` },
    exitCode: null,
    signal: null,
    timedOut: false,
    truncated: false,
    startedAt: startedAt.toISOString(),
    finishedAt: ctx.now().toISOString(),
    durationMs: Math.max(0, ctx.now().getTime() - startedAt.getTime()),
    rawOutput: null,
  });
}
