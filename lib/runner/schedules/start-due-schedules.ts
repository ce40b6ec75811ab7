import { logger } from "@/lib/core/logger";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { fireSchedule } from "./fire-schedule";

const BATCH = 100;

/** Starts the runs of schedules that are due, each due time once; answers how many. One that fails stops no other. */
export async function startDueSchedules(ctx: Ctx): Promise<number> {
  const due = await ctx.db.schedule.findMany({
    where: {
      OR: [
        { enabled: true, nextAt: { lte: ctx.now() } },
        { enabled: true, heldAt: { not: null } },
      ],
    },
    orderBy: { nextAt: "asc" },
    select: { id: true },
    take: BATCH,
  });
  let started = 0;
  for (const { id } of due) {
    try {
      if (await fireSchedule(ctx, id)) started += 1;
    } catch (err) {
      logger.error({ err, schedule: id }, "a schedule could not be dealt with");
    }
  }
  if (started > 0) wake("work");
  return started;
}
