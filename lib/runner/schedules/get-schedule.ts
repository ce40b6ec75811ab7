import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { presentSchedules } from "./present-schedules";
import { requireSchedule } from "./schedule-access";
import type { Schedule } from "./schema";

/** One schedule; `not_found` also when the caller may not see it. */
export async function getSchedule(ctx: Ctx, id: string): Promise<Schedule> {
  requireScope(ctx.actor, "read");
  return readSchedule(ctx, id);
}

/** The same as the answer of a verb that has checked its own scope. */
export async function readSchedule(ctx: Ctx, id: string): Promise<Schedule> {
  const [schedule] = await presentSchedules(ctx, [await requireSchedule(ctx, id)]);
  if (!schedule) throw new Error("presenting one row gave none");
  return schedule;
}
