import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { aboutSkill } from "@/lib/skills/about-skill";
import type { VersionRow } from "@/lib/skills/version-access";

type FileOfVersion = { sha256: string; path?: string; versionId?: string };

/**
 * Reads a stored file and checks its hash. On wrong or missing bytes it throws `version_tampered`, marks every version
 * with that file, and records `version.tampered` for versions that were not marked before.
 */
export async function readBlob(ctx: Ctx, file: FileOfVersion): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readVerifiedBytes(ctx, file.sha256);
  if (bytes !== null) return bytes;
  throw await reportTampered(ctx, file);
}

/** The problem with a version's stored files, as the end of a sentence; null when all bytes are correct. */
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
  return `the stored bytes of ${path} do not match its digest`;
}

/** The stored bytes with this hash; null when they are wrong or missing. */
export async function readVerifiedBytes(ctx: Pick<Ctx, "db">, sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const blob = await ctx.db.blob.findUnique({ where: { sha256 } });
  return blob !== null && sha256Hex(blob.bytes) === sha256 ? new Uint8Array(blob.bytes) : null;
}

/** Marks the versions, records the event and returns the error to throw. */
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

/** Unmarks versions with restored bytes, each with an event `version.restored`; returns their number. */
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
        summary: `found the stored files of ${skill.name} ${digest.slice(0, 7)} unchanged again`,
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
  /** End of a sentence: “its list of files is not the one that was approved”. */
  problem: string;
  runId?: string;
  /** Hash of a file with wrong bytes: every version with that file is marked. */
  sha256?: string;
};

/** Records tampering in a separate transaction, because the refusal rolls back the caller's. */
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
  written.catch((err: unknown) => logger.error({ err, versionDigest }, "the tampering of a version was not recorded"));
}

/** Reads all files of a version and checks their hashes (`version_tampered`). */
export async function readVersionFiles(ctx: Ctx, version: Pick<VersionRow, "files">): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  for (const file of version.files) {
    const { path, mode } = file;
    files.push({ path, mode: mode === "755" ? "755" : "644", bytes: await readBlob(ctx, file) });
  }
  return files;
}
