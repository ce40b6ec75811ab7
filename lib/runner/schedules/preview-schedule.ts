import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { nextTimes } from "./next-times";
import type { PreviewScheduleQuery, SchedulePreview } from "./schema";

const SHOWN = 5;

/** When a cron expression comes next in a time zone; `invalid` with the place of what is wrong. */
export async function previewSchedule(ctx: Ctx, query: PreviewScheduleQuery): Promise<SchedulePreview> {
  requireScope(ctx.actor, "read");
  const next = nextTimes(query, ctx.now(), SHOWN);
  return { ...query, next: next.map((time) => time.toISOString()) };
}
