import type { Ctx } from "@/lib/db/context";
import { Isolation, weakestIsolation } from "@/lib/policy/isolation";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

type WorkerStatus = { online: number; isolation: Isolation };

/** How many workers were heard of within a lease, and the weakest isolation among them (`none` when there is none). */
export async function workerStatus(ctx: Ctx): Promise<WorkerStatus> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  const online = await ctx.db.worker.findMany({
    where: { revokedAt: null, lastSeenAt: { gte: since } },
    select: { isolation: true },
  });
  const levels = online.map(({ isolation }) => Isolation.catch("none").parse(isolation));
  return { online: online.length, isolation: weakestIsolation(levels) };
}
