import { getEnv } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { backupState, LAST_FAILURE } from "./back-up";
import { instanceOf } from "./instance";
import { readBackups } from "./read-backups";
import type { BackupList } from "./schema";

const HOUR_MS = 3_600_000;

type Times = { everyHours: number; newest: string | null; failedAt: Date | null; now: Date };

/** The backups of the folder of backups, what went wrong last, and when the next is made. */
export async function listBackups(ctx: Ctx): Promise<BackupList> {
  if (ctx.actor.kind !== "system") requireScope(ctx.actor, "admin");
  const { backups: folder } = instanceOf(getEnv());
  const { backupEveryHours: everyHours, backupsKept: keep } = await getSettings(ctx);
  const backups = await readBackups(folder);
  const failure = await ctx.db.jobState.findUnique({ where: { name: LAST_FAILURE } });
  const failedAt = failure?.startedAt ?? null;
  const nextAt = nextBackupAt({ everyHours, newest: backups[0]?.at ?? null, failedAt, now: ctx.now() });
  return {
    backups,
    lastFailure: failedAt === null ? null : { at: failedAt.toISOString(), reason: failure?.summary ?? "" },
    schedule: { everyHours, keep, folder, nextAt: nextAt?.toISOString() ?? null },
    running: backupState().running,
  };
}

/** When the next backup is due by itself: at once without any, and an hour after one that failed. Null when none is. */
function nextBackupAt({ everyHours, newest, failedAt, now }: Times): Date | null {
  if (everyHours === 0) return null;
  const due = newest === null ? 0 : Date.parse(newest) + everyHours * HOUR_MS;
  const retry = failedAt === null ? 0 : failedAt.getTime() + HOUR_MS;
  return new Date(Math.max(due, retry, now.getTime()));
}
