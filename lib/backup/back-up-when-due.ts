import { getEnv } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { backUp } from "./back-up";
import { instanceOf } from "./instance";
import { listBackups } from "./list-backups";
import { pruneBackups } from "./read-backups";

/**
 * Makes a backup when the settings say that one is due, and then removes those that are older than the newest to be kept: a
 * backup goes only after a newer one was made and holds. Answers one sentence; null when nothing was due.
 */
export async function backUpWhenDue(ctx: Ctx): Promise<string | null> {
  const { schedule, running } = await listBackups(ctx);
  if (schedule.nextAt === null || Date.parse(schedule.nextAt) > ctx.now().getTime() || running) return null;
  const made = await backUp(ctx);
  if (!made.verified) return `made ${made.name}, which does not hold; older ones were kept`;
  const { backups } = instanceOf(getEnv());
  const removed = await pruneBackups(backups, { keep: schedule.keep, now: ctx.now() });
  return removed.length === 0 ? `made ${made.name}` : `made ${made.name}, removed ${removed.join(", ")}`;
}
