import { recordEvent } from "@/lib/audit/record-event";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { mebibytes } from "@/lib/core/free-space";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { instanceOf } from "./instance";
import type { Manifest } from "./manifest";
import { pruneBackups, readBackups, readDraftBytes } from "./read-backups";
import type { Backup, BackupList } from "./schema";
import { writeBackup } from "./write-backup";

const LAST_FAILURE = "backup-failure";

function backupState(): { running: boolean } {
  return processStore("backup", () => ({ running: false }));
}

/**
 * Makes and verifies a backup of this instance, and records the result. `conflict` while this process makes another.
 * Takes seconds per gigabyte.
 */
export async function backUp(ctx: Ctx): Promise<Backup> {
  if (ctx.actor.kind !== "system") requireScope(ctx.actor, "admin");
  const state = backupState();
  if (state.running) throw new AppError("conflict", "A backup is already running. Wait until it ends.");
  state.running = true;
  try {
    const instance = instanceOf(getEnv());
    const { path, manifest } = await writeBackup(instance, { to: instance.backups, at: ctx.now() });
    const made = (await readBackups(instance.backups)).find((backup) => backup.path === path);
    if (made === undefined) throw new AppError("conflict", `${path} was removed while the backup ran.`);
    await recordMade(ctx, made, manifest);
    return made;
  } catch (error) {
    await recordFailed(ctx, error);
    throw error;
  } finally {
    state.running = false;
  }
}

async function recordMade(ctx: Ctx, made: Backup, { database, files }: Manifest): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.jobState.deleteMany({ where: { name: LAST_FAILURE } });
    await recordEvent(tx, txCtx, {
      action: "backup.make",
      outcome: made.verified ? "ok" : "failed",
      summary: `created the backup ${made.name} (${mebibytes(made.bytes)}, audit up to event ${made.auditSeq})${made.verified ? "" : `, which failed verification: ${made.problem}`}`,
      target: { kind: "backup", id: made.name, name: made.name },
      data: {
        path: made.path,
        bytes: made.bytes,
        auditSeq: made.auditSeq,
        digest: database.digest,
        files: files.length,
      },
    });
  });
}

/** Records a failed backup. The caller gets the original error even when this record cannot be written. */
async function recordFailed(ctx: Ctx, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof AppError ? error.code : "internal";
  const failure = { startedAt: ctx.now(), outcome: "failed", summary: reason, nextAt: ctx.now() };
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.jobState.upsert({
      where: { name: LAST_FAILURE },
      create: { name: LAST_FAILURE, ...failure },
      update: failure,
    });
    await recordEvent(tx, txCtx, {
      action: "backup.fail",
      outcome: "failed",
      summary: `could not create a backup: ${reason}`,
      error: { code, message: reason },
    });
  }).catch(() => undefined);
}

/** Makes a due backup, and removes old ones after it was verified. Null when none was due. */
export async function backUpWhenDue(ctx: Ctx): Promise<string | null> {
  const { schedule, running } = await listBackups(ctx);
  if (schedule.nextAt === null || Date.parse(schedule.nextAt) > ctx.now().getTime() || running) return null;
  const made = await backUp(ctx);
  if (!made.verified) return `made ${made.name}, which failed verification; older ones were kept`;
  const { backups } = instanceOf(getEnv());
  const removed = await pruneBackups(backups, { keep: schedule.keep, now: ctx.now() });
  return removed.length === 0 ? `made ${made.name}` : `made ${made.name}, removed ${removed.join(", ")}`;
}

const HOUR_MS = 3_600_000;

type Times = { everyHours: number; newest: string | null; failedAt: Date | null; now: Date };

/** All backups, the last failure, and the time of the next backup. */
export async function listBackups(ctx: Ctx): Promise<BackupList> {
  if (ctx.actor.kind !== "system") requireScope(ctx.actor, "admin");
  const { backups: folder, database } = instanceOf(getEnv());
  const { running } = backupState();
  const { backupEveryHours: everyHours, backupsKept: keep } = await getSettings(ctx);
  const backups = await readBackups(folder);
  const failure = await ctx.db.jobState.findUnique({ where: { name: LAST_FAILURE } });
  const failedAt = failure?.startedAt ?? null;
  const nextAt = nextBackupAt({ everyHours, newest: backups[0]?.at ?? null, failedAt, now: ctx.now() });
  return {
    backups,
    lastFailure: failedAt === null ? null : { at: failedAt.toISOString(), reason: failure?.summary ?? "" },
    schedule: { everyHours, keep, folder, nextAt: nextAt?.toISOString() ?? null },
    running,
    progress: running ? { bytes: await readDraftBytes(folder), atMost: await database.size() } : null,
  };
}

/** Time of the next scheduled backup: now without any, and an hour after a failure. Null when backups are off. */
function nextBackupAt({ everyHours, newest, failedAt, now }: Times): Date | null {
  if (everyHours === 0) return null;
  const due = newest === null ? 0 : Date.parse(newest) + everyHours * HOUR_MS;
  const retry = failedAt === null ? 0 : failedAt.getTime() + HOUR_MS;
  return new Date(Math.max(due, retry, now.getTime()));
}
