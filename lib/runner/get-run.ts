import type { Ctx } from "@/lib/db/context";
import { presentRun } from "./present-run";
import { requireRun } from "./run-access";
import type { Run } from "./schema";

/** One run; `not_found` also when the caller may not see it. */
export async function getRun(ctx: Ctx, id: string): Promise<Run> {
  return presentRun(await requireRun(ctx, id));
}
