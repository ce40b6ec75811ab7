import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

const LEASE_MS = LEASE_SECONDS * 1000;

/**
 * Adjusts leases and heartbeats after the clock was moved by `jumpMs`: running runs get a new lease, and workers that were
 * online stay online. With 0, after a start, only times further ahead than any lease can be are corrected.
 */
export async function adjustLeasesToClock(ctx: Ctx, jumpMs: number): Promise<void> {
  const now = ctx.now().getTime();
  const leaseUntil = new Date(now + LEASE_MS);
  const isAhead = { gt: new Date(now + 2 * LEASE_MS) };
  await inTransaction(ctx, async (tx) => {
    await tx.run.updateMany({
      where: { state: "running", ...(jumpMs === 0 ? { leaseUntil: isAhead } : { leaseUntil: { not: null } }) },
      data: { leaseUntil },
    });
    const wasOnline = { gte: new Date(now - Math.max(jumpMs, 0) - 2 * LEASE_MS) };
    await tx.worker.updateMany({
      where: { revokedAt: null, lastSeenAt: jumpMs > 0 ? wasOnline : { gt: new Date(now + LEASE_MS) } },
      data: { lastSeenAt: new Date(now) },
    });
  });
}
