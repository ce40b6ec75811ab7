import { parseJsonColumn } from "@/lib/core/json";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { JsonObject } from "@/lib/skill-format/schema";
import { startRun } from "../runs/start-run";
import type { Run } from "../schema";
import { mayChange, notYours, requireSchedule } from "./schedule-access";

/**
 * Starts a run of a schedule now, as its owner, whatever its time, its overlap and whether it is on. Errors as `startRun`
 * has them; `confirmation_required` until the runs of the version that serves now are confirmed on the schedule.
 */
export async function runSchedule(ctx: Ctx, id: string): Promise<Run> {
  const actor = requireScope(ctx.actor, "run");
  const run = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSchedule(txCtx, id);
    if (!mayChange(actor, row)) throw notYours(row);
    const asked = { args: parseJsonColumn(JsonObject, row.args), wait: 0, ...targetOf(row) };
    const started = await startRun(txCtx, row.skillId, asked, row);
    if (!("run" in started)) throw new Error("asked for a run, and got a dry one");
    const outcome = { lastAt: ctx.now(), lastRunId: started.run.id, lastOutcome: "Started by hand." };
    await tx.schedule.update({ where: { id }, data: outcome });
    return started.run;
  });
  // Whoever was woken before the commit saw nothing yet.
  wake("work");
  return run;
}

export function targetOf({ workerId }: { workerId: string | null }): { workerId?: string } {
  return workerId === null ? {} : { workerId };
}
