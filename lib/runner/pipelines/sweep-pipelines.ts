import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { RunLimits } from "@/lib/worker/protocol";
import { PIPELINE_SCOPE } from "../pipeline-scope";
import { advancePipeline } from "./advance-pipeline";
import { deadlineOf, isOver, loadSteps } from "./load-pipeline";

/**
 * Takes up pipelines that stand still although something is due: what a process left when it ended between two steps, and
 * those whose time is over. Answers how many.
 */
export async function sweepPipelines(ctx: Ctx): Promise<number> {
  const open = await ctx.db.run.findMany({ where: { scope: PIPELINE_SCOPE, state: { in: ["queued", "running"] } } });
  let count = 0;
  for (const run of open) {
    const steps = await loadSteps(ctx, run.id);
    const { timeoutMs } = keepParsed(RunLimits, run.limits);
    const deadline = await deadlineOf(ctx, run, { timeoutMs, steps });
    const last = steps.at(-1);
    const isDue = last === undefined || isOver(last) || (deadline !== null && deadline <= ctx.now());
    if (!isDue) continue;
    await inTransaction(ctx, (tx, txCtx) => advancePipeline(tx, txCtx, run.id));
    count += 1;
  }
  return count;
}
