import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { endUnstartedRun, type UnstartedRun } from "./end-unstarted-run";

const BATCH = 100;

/** Ends parked runs that nobody decided on in time; answers how many. */
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

/** Ends one parked run as expired. */
export async function expireRun(tx: Tx, ctx: Ctx, run: UnstartedRun): Promise<void> {
  await endUnstartedRun(tx, ctx, run, {
    state: "expired",
    error: { code: "expired", message: "Nobody decided on it in time." },
    event: { action: "run.expire", outcome: "ok", summary: `a run of ${run.skill.name} expired undecided` },
  });
}
