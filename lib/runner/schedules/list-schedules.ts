import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "@/lib/skills/skill-access";
import { presentSchedules } from "./present-schedules";
import { schedulesVisibleTo } from "./schedule-access";
import type { ListSchedulesQuery, Schedule } from "./schema";

/** Schedules the caller may see, newest first. */
export async function listSchedules(ctx: Ctx, query: ListSchedulesQuery): Promise<Page<Schedule>> {
  const actor = requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } };
  const ofSkill = query.skill === undefined ? {} : { skillId: (await requireSkill(ctx, query.skill)).id };
  const rows = await ctx.db.schedule.findMany({
    where: { AND: [schedulesVisibleTo(actor), before, ofSkill] },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentSchedules(ctx, page.items), nextCursor: page.nextCursor };
}
