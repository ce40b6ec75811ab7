import type { Ctx } from "@/lib/db/context";
import type { Run } from "@/lib/runner/schema";
import { presentRuns } from "./present-run";
import { requireRun } from "./run-access";

/** One run; `not_found` also when the caller may not see it. */
export async function getRun(ctx: Ctx, id: string): Promise<Run> {
  const [run] = await presentRuns(ctx, [await requireRun(ctx, id)]);
  if (!run) throw new Error("presenting one row gave none");
  return run;
}
