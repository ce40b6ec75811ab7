import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";

export const LEAD = "background-work";
const LEASE_MS = 30_000;
const RENEW_BELOW_MS = 20_000;
/** A lease that ends later than this was written before the clock was set back, and is void. */
const AHEAD_MS = 2 * LEASE_MS;

/** Takes or renews the lead for `holder` for 30 seconds; returns whether it has it. Writes only when necessary. */
export async function holdLead(ctx: Ctx, holder: string): Promise<boolean> {
  const now = ctx.now().getTime();
  const current = await ctx.db.leaderLease.findUnique({ where: { name: LEAD } });
  const left = current === null ? 0 : current.until.getTime() - now;
  if (current?.holder === holder && left > RENEW_BELOW_MS) return true;
  if (current !== null && current.holder !== holder && left > 0 && left <= AHEAD_MS) return false;
  return inTransaction(ctx, async (tx) => {
    const until = new Date(now + LEASE_MS);
    const isOver = [{ until: { lte: ctx.now() } }, { until: { gt: new Date(now + AHEAD_MS) } }];
    const free = { name: LEAD, OR: [{ holder }, ...isOver] };
    const taken = await tx.leaderLease.updateMany({ where: free, data: { holder, until } });
    if (taken.count > 0) return true;
    if ((await tx.leaderLease.findUnique({ where: { name: LEAD } })) !== null) return false;
    await tx.leaderLease.create({ data: { name: LEAD, holder, until } });
    return true;
  });
}

/** Releases the lead at an orderly shutdown, so that the next process need not wait for the lease to run out. */
export async function releaseLead(ctx: Ctx, holder: string): Promise<void> {
  await inTransaction(ctx, (tx) => tx.leaderLease.deleteMany({ where: { name: LEAD, holder } }));
}
