import { getEnv } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/get-settings";
import { backupState, LAST_FAILURE } from "./back-up";
import { instanceOf } from "./instance";
import { nextBackupAt } from "./next-backup-at";
import { readBackups } from "./read-backups";
import type { BackupList } from "./schema";

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
