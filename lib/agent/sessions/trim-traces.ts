import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { getSettings } from "@/lib/settings/settings";

const DAY_MS = 86_400_000;
const BATCH = 500;

/** Maximum steps per session; the oldest are deleted first. */
export const MAX_STEPS = 5_000;

/** Deletes a batch of sessions older than `agentTraceDays`, and the oldest steps beyond 5,000 per session. */
export async function trimTraces(ctx: Ctx): Promise<number> {
  const { agentTraceDays } = await getSettings(ctx);
  const before = new Date(ctx.now().getTime() - agentTraceDays * DAY_MS);
  const old = await ctx.db.agentSession.findMany({
    where: { lastSeenAt: { lt: before } },
    select: { id: true },
    take: BATCH,
  });
  const long = await ctx.db.agentStep.groupBy({
    by: ["sessionId"],
    _count: { id: true },
    having: { id: { _count: { gt: MAX_STEPS } } },
    orderBy: { sessionId: "asc" },
    take: BATCH,
  });
  if (old.length === 0 && long.length === 0) return 0;
  return inTransaction(ctx, async (tx, txCtx) => {
    const removed = await tx.agentSession.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
    let steps = 0;
    for (const { sessionId } of long) {
      const [first] = await tx.agentStep.findMany({
        where: { sessionId },
        orderBy: { id: "desc" },
        skip: MAX_STEPS,
        take: 1,
      });
      if (first === undefined) continue;
      steps += (await tx.agentStep.deleteMany({ where: { sessionId, id: { lte: first.id } } })).count;
    }
    await recordEvent(tx, txCtx, {
      action: "agent-traces.trim",
      summary: `deleted ${removed.count} agent sessions and ${steps} steps of other sessions`,
      data: { sessions: removed.count, steps, olderThan: before.toISOString() },
    });
    return removed.count + steps;
  });
}
