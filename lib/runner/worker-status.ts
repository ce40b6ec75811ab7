import type { Ctx } from "@/lib/db/context";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

type WorkerStatus = { online: number; isolation: "none" | "process" | "sandbox" };

/** How many workers were heard of within a lease, and the weakest isolation among them (`none` when there is none). */
export async function workerStatus(ctx: Ctx): Promise<WorkerStatus> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  const online = await ctx.db.worker.findMany({
    where: { revokedAt: null, lastSeenAt: { gte: since } },
    select: { isolation: true },
  });
  const kinds = new Set(online.map((worker) => worker.isolation));
  const isolation =
    kinds.size === 1 && kinds.has("sandbox")
      ? "sandbox"
      : kinds.has("process") && !kinds.has("none")
        ? "process"
        : "none";
  return { online: online.length, isolation };
}
