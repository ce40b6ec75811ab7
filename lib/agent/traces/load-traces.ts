import type { Ctx } from "@/lib/db/context";

/** The rows behind some traces, whichever of the two they are. */
export async function loadTraces(ctx: Ctx, ids: string[]) {
  const where = { id: { in: ids } };
  const include = { version: { select: { number: true, manifest: true } } };
  return {
    runs: await ctx.db.run.findMany({ where, include }),
    steps: await ctx.db.agentStep.findMany({ where, include: { session: true } }),
  };
}
export type LoadedTraces = Awaited<ReturnType<typeof loadTraces>>;
