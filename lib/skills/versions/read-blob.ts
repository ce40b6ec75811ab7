import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { aboutSkill } from "@/lib/skills/about-skill";
import type { VersionRow } from "@/lib/skills/version-access";

/** A stored file of a version; `versionId` and `path` say which one is named when its bytes are wrong. */
type FileOfVersion = { sha256: string; path?: string; versionId?: string };

/**
 * The bytes of a stored file, checked against their hash. `version_tampered` when storage has other bytes or none: the
 * message names the file. Every version with that file is marked, and the audit gets an event `version.tampered` when the
 * version had no mark before.
 */
export async function readBlob(ctx: Ctx, file: FileOfVersion): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readVerifiedBytes(ctx, file.sha256);
  if (bytes !== null) return bytes;
  throw await reportTampered(ctx, file);
}

/** What is wrong with the stored files of a version, as the end of a sentence; null when all bytes are right. */
export async function findTamperedFile(
  ctx: Pick<Ctx, "db">,
  files: readonly { path: string; sha256: string }[],
): Promise<string | null> {
  for (const { path, sha256 } of files) {
    if ((await readVerifiedBytes(ctx, sha256)) === null) return problemOf(path);
  }
  return null;
}

function problemOf(path: string): string {
  return `the stored bytes of ${path} are not those of its digest`;
}

/** The stored bytes of this hash; null when storage has other bytes or none. */
export async function readVerifiedBytes(ctx: Pick<Ctx, "db">, sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const blob = await ctx.db.blob.findUnique({ where: { sha256 } });
  return blob !== null && sha256Hex(blob.bytes) === sha256 ? new Uint8Array(blob.bytes) : null;
}

/** Marks and records what was found, and answers the error to throw. */
async function reportTampered(ctx: Ctx, { sha256, path, versionId }: FileOfVersion): Promise<AppError> {
  const found = await ctx.db.versionFile.findFirst({
    where: { sha256, ...(path === undefined ? {} : { path }), ...(versionId === undefined ? {} : { versionId }) },
    include: { version: { include: { skill: true } } },
  });
  if (found === null)
    return new AppError("version_tampered", `The stored bytes of ${sha256.slice(0, 7)} were changed.`);
  const { skill, digest, tampered } = found.version;
  const problem = problemOf(found.path);
  if (tampered === null) await recordTampering(ctx, { skill, versionDigest: digest, problem, sha256 });
  return new AppError(
    "version_tampered",
    `Version ${digest.slice(0, 7)} of “${skill.name}” cannot be read: ${problem}. Restore the database from a backup; ` +
      "npm run verify-approval names every changed file.",
  );
}

/**
 * Takes the marks from versions whose stored bytes are right again, each with an event `version.restored`. Answers how many.
 */
export async function clearTampered(ctx: Ctx): Promise<number> {
  const marked = await ctx.db.version.findMany({
    where: { tampered: { not: null } },
    include: { files: true, skill: true },
    take: 100,
  });
  let cleared = 0;
  for (const { id, digest, files, skill } of marked) {
    if ((await findTamperedFile(ctx, files)) !== null) continue;
    await inTransaction(ctx, async (tx, txCtx) => {
      await tx.version.update({ where: { id }, data: { tampered: null } });
      await recordEvent(tx, txCtx, {
        action: "version.restored",
        summary: `found the stored files of ${skill.name} ${digest.slice(0, 7)} right again`,
        ...aboutSkill(skill),
        versionDigest: digest,
        class: skill.class,
      });
    });
    cleared += 1;
  }
  return cleared;
}

type Tampering = {
  skill: { id: string; name: string; toolName: string; class: string; ownerId: string | null };
  versionDigest: string;
  /** The end of a sentence: “its list of files is not the one that was approved”. */
  problem: string;
  runId?: string;
  /** Of a file whose stored bytes are wrong: every version that has it is marked. */
  sha256?: string;
};

/**
 * Tells the audit that something governed by an approval was changed. What is refused because of it rolls back, so the
 * event has a transaction of its own; when the caller has one open, it is written as soon as that one is over.
 */
export async function recordTampering(
  ctx: Ctx,
  { skill, versionDigest, problem, runId, sha256 }: Tampering,
): Promise<void> {
  const { tx: open, ...rest } = ctx;
  const outside: Ctx = { ...rest, db: ctx.database.reader };
  const written = inTransaction(outside, async (tx) => {
    if (sha256 !== undefined) {
      const having = { tampered: null, files: { some: { sha256 } } };
      await tx.version.updateMany({ where: having, data: { tampered: problem } });
    }
    await recordEvent(tx, outside, {
      action: "version.tampered",
      outcome: "refused",
      concerns: skill.ownerId,
      summary: `was refused ${skill.name} ${versionDigest.slice(0, 7)}: ${problem}`,
      ...aboutSkill(skill),
      versionDigest,
      class: skill.class,
      ...(runId ? { runId } : {}),
      data: { problem },
    });
  });
  if (!open) return written;
  written.catch((err: unknown) => logger.error({ err, versionDigest }, "a changed version could not be recorded"));
}

/** The stored files of a version with their bytes, each checked against its hash (`version_tampered`). */
export async function readVersionFiles(ctx: Ctx, version: Pick<VersionRow, "files">): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  for (const file of version.files) {
    const { path, mode } = file;
    files.push({ path, mode: mode === "755" ? "755" : "644", bytes: await readBlob(ctx, file) });
  }
  return files;
}
