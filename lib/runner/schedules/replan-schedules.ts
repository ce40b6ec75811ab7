import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { nextTime } from "./next-times";

/**
 * Plans again what waits for a later time than its next: it was planned while the clock was ahead. Times that were dealt
 * with already are not dealt with twice.
 */
export async function replanSchedules(ctx: Ctx): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const rows = await tx.schedule.findMany({
      where: { enabled: true, nextAt: { gt: ctx.now() } },
      select: { id: true, cron: true, timeZone: true, nextAt: true },
    });
    for (const row of rows) {
      const nextAt = nextTime(row, ctx.now());
      if (nextAt === null || row.nextAt === null || nextAt >= row.nextAt) continue;
      await tx.schedule.update({ where: { id: row.id }, data: { nextAt } });
    }
  });
}
