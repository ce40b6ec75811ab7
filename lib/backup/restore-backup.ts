import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { freeSpace, mebibytes } from "@/lib/core/free-space";
import { LOCK_FILE, lockDataDirectory } from "@/lib/core/lock-data-directory";
import { IsoTime } from "@/lib/core/schema";
import { type Ctx, inTransaction } from "@/lib/db/context";
import packageJson from "@/package.json";
import { checkFiles, copyFile, openManifest, syncToDisk } from "./check-files";
import type { Manifest } from "./manifest";
import type { DatabaseCopier } from "./sqlite-copier";

type Input = {
  backup: string;
  dataDir: string;
  replace: boolean;
  database: Pick<DatabaseCopier, "assertFree" | "checkAudit" | "place" | "provider">;
  migrations: readonly string[];
  at: Date;
};

type Restored = { manifest: Manifest; movedTo: string | null };

/**
 * Restores a data directory from a backup: verifies all checksums, writes a draft next to it, checks its database and
 * audit, and renames it. The present directory is moved aside, never deleted. Throws a readable error, without any
 * change, when the backup was changed or made by a newer release, or the directory is in use or not empty.
 */
export async function restoreBackup({ backup, replace, database, migrations, at, ...given }: Input): Promise<Restored> {
  const dataDir = resolve(given.dataDir);
  const manifest = await openManifest(backup);
  assertRestorable(manifest, { migrations, provider: database.provider });
  const changed = await checkFiles(backup, manifest);
  if (changed.length > 0)
    throw new AppError("conflict", `The backup ${backup} was changed or is incomplete:\n  ${changed.join("\n  ")}`);
  await database.assertFree();
  const stamp = at
    .toISOString()
    .replace(/[-:]/g, "")
    .replace(/\.\d+Z$/, "Z");
  const [draft, aside] = [`${dataDir}.restoring-${stamp}`, `${dataDir}.replaced-${stamp}`];
  const lock = await lockTarget(dataDir, { replace });
  try {
    assertSpace(manifest, dirname(dataDir));
    await mkdir(dirname(dataDir), { recursive: true, mode: 0o700 });
    await mkdir(draft, { mode: 0o700 });
    try {
      await copyFiles(backup, draft, manifest);
      await assertRestored(draft, manifest, database);
      const note = { backup: basename(backup), madeAt: manifest.at, auditSeq: manifest.audit.seq };
      await writeRestoreNote(draft, { ...note, restoredAt: at.toISOString() });
      await syncToDisk(draft);
      if (lock !== null) await rename(dataDir, aside);
      await rename(draft, dataDir);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    await syncToDisk(dirname(dataDir));
    if (lock === null) return { manifest, movedTo: null };
    if (!lock.isEmpty) return { manifest, movedTo: aside };
    await rm(aside, { recursive: true });
    return { manifest, movedTo: null };
  } finally {
    lock?.close();
  }
}

function assertRestorable(
  { database, product }: Manifest,
  known: { migrations: readonly string[]; provider: Manifest["database"]["provider"] },
): void {
  const newer = database.migrations.filter((name) => !known.migrations.includes(name));
  if (newer.length > 0)
    throw new AppError(
      "conflict",
      `The backup was made by a newer release (${product.version}; this is ${packageJson.version}), with the unknown migration ${newer[0]}. Restore it with that release.`,
    );
  if (database.provider !== known.provider)
    throw new AppError(
      "conflict",
      `The backup is of ${database.provider}, but this instance uses ${known.provider}. Check DATABASE_URL.`,
    );
}

async function lockTarget(dataDir: string, { replace }: { replace: boolean }) {
  if ((await lstat(dataDir).catch(() => null)) === null) return null;
  const lock = lockDataDirectory(dataDir);
  const isEmpty = (await readdir(dataDir)).every((name) => name.startsWith(LOCK_FILE));
  if (isEmpty || replace) return { isEmpty, close: () => lock.close() };
  lock.close();
  throw new AppError("conflict", `${dataDir} is not empty. Use --replace to move it aside first.`);
}

function assertSpace({ files }: Manifest, folder: string): void {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const free = freeSpace(folder);
  if (free !== null && free < needed)
    throw new AppError(
      "storage_full",
      `The backup needs ${mebibytes(needed)}, but only ${mebibytes(free)} are free in ${folder}. Free some space.`,
    );
}

async function copyFiles(backup: string, draft: string, { files }: Manifest): Promise<void> {
  const folders = new Set(files.map(({ path }) => dirname(path)).filter((folder) => folder !== "."));
  for (const folder of folders) await mkdir(join(draft, folder), { mode: 0o700 });
  for (const { path, sha256 } of files) {
    const copied = await copyFile(join(backup, path), join(draft, path));
    await chmod(join(draft, path), 0o600);
    if (copied !== sha256) throw new AppError("conflict", `${path} was changed during the restore.`);
  }
  for (const folder of folders) await syncToDisk(join(draft, folder));
}

async function assertRestored(draft: string, manifest: Manifest, database: Input["database"]): Promise<void> {
  const file = join(draft, manifest.database.file);
  const facts = await database.place(file);
  if (facts.problems.length > 0)
    throw new AppError("conflict", `The database in the backup is damaged: ${facts.problems[0]}.`);
  if (facts.digest !== manifest.database.digest)
    throw new AppError("conflict", "The rows of the restored database differ from those of the backup.");
  const problem = await database.checkAudit(draft, facts);
  if (problem !== manifest.audit.problem)
    throw new AppError("conflict", `The audit log of the restored directory is invalid: ${problem}`);
}

const FILE = "restored.json";
const Note = z.object({ backup: z.string(), madeAt: IsoTime, auditSeq: z.number().int(), restoredAt: IsoTime });
type Note = z.infer<typeof Note>;

/** Writes a note into a restored directory; its database cannot know of the restore. */
async function writeRestoreNote(dataDir: string, note: Note): Promise<void> {
  await writeFile(join(dataDir, FILE), `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
}

/** Records a restore, and the lost period, at the first start after it. */
export async function recordRestore(ctx: Ctx): Promise<void> {
  const file = join(ctx.database.keyFolder, FILE);
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return;
  const note = Note.parse(JSON.parse(text));
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "backup.restore",
      summary: `was restored from the backup ${note.backup}; changes between ${note.madeAt} and ${note.restoredAt} are lost`,
      target: { kind: "backup", id: note.backup, name: note.backup },
      data: note,
    }),
  );
  await rm(file, { force: true });
}
