import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { OnlineWorker } from "@/lib/policy/eligibility/judge-runtime";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

/** The workers that were heard of lately, with what they have for skills. */
export async function onlineWorkers(ctx: Ctx): Promise<OnlineWorker[]> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  const rows = await ctx.db.worker.findMany({
    where: { revokedAt: null, lastSeenAt: { gte: since } },
    select: { name: true, platform: true, offers: true },
    orderBy: { name: "asc" },
  });
  return rows.map(({ name, platform, offers }) => ({
    name,
    os: platform?.split(" ")[0] ?? "",
    offers: parseJsonColumn(WorkerOffers, offers),
  }));
}
