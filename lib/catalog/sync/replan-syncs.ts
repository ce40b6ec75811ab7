import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { LONGEST_WAIT_MS } from "./sync-columns";

/** Brings syncs nearer that lie further ahead than any can: they were planned while the clock was ahead. */
export async function replanSyncs(ctx: Ctx): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const rows = await tx.catalogSource.findMany({
      where: { enabled: true, nextSyncAt: { gt: ctx.now() } },
      select: { id: true, intervalMinutes: true, nextSyncAt: true },
    });
    for (const { id, intervalMinutes, nextSyncAt } of rows) {
      const latest = new Date(ctx.now().getTime() + Math.max(intervalMinutes * 60_000, LONGEST_WAIT_MS));
      if (nextSyncAt === null || nextSyncAt <= latest) continue;
      await tx.catalogSource.update({ where: { id }, data: { nextSyncAt: latest } });
    }
  });
}
