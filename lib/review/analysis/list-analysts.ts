import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { type AnalysisAbility, WorkerOffers } from "@/lib/policy/eligibility/schema";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

const OLD: AnalysisAbility = {
  kind: "not_available",
  reason: "The worker is of an earlier release, which has no dry runs. Update it.",
};

/** The workers that are online, with whether each can execute dry runs. */
export async function listAnalysts(ctx: Ctx): Promise<{ name: string; ability: AnalysisAbility }[]> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  const rows = await ctx.db.worker.findMany({
    where: { revokedAt: null, lastSeenAt: { gte: since } },
    orderBy: { name: "asc" },
    select: { name: true, offers: true },
  });
  return rows.map(({ name, offers }) => ({ name, ability: keepParsed(WorkerOffers, offers).analysis ?? OLD }));
}
