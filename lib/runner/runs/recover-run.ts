import type { Ctx } from "@/lib/db/context";
import type { Run, RunGroup } from "@/lib/runner/schema";
import { getRun } from "./get-run";
import { presentRuns, withNames } from "./present-run";

/** What a start answered, or would have: the run, or the group it was the first of. `not_found` as `getRun` has it. */
export async function recoverRun(ctx: Ctx, runId: string): Promise<Run | RunGroup> {
  const run = await getRun(ctx, runId);
  if (run.groupId === null) return run;
  const { groupId } = run;
  const rows = await ctx.db.run.findMany({ where: { groupId }, include: withNames, orderBy: { id: "asc" } });
  return { groupId, runs: await presentRuns(ctx, rows) };
}
