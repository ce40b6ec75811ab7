import { chmod, lstat, mkdir, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { CHAIN_KEY_FILE } from "@/lib/audit/chain/chain-key";
import { HEADS_FILE } from "@/lib/audit/chain/heads";
import { hashFile, SEGMENTS_FOLDER } from "@/lib/audit/segments";
import { AppError } from "@/lib/core/errors";
import { freeSpace, isStorageFull, mebibytes } from "@/lib/core/free-space";
import { SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import { ATTESTATION_KEYS_FILE } from "@/lib/review/attest/attestation-keys";
import packageJson from "@/package.json";
import { checkFiles, copyFile, openManifest, syncToDisk } from "./check-files";
import type { Instance } from "./instance";
import { MANIFEST_FILE, type Manifest, writeManifest } from "./manifest";

/**
 * Files of a backup besides the database, where they exist. Excluded: `instance.lock`, `git-snapshots` and
 * `door-archives` (rebuilt on demand), `audit-forward` (copies of events) and unlisted files. The heads are copied
 * before the database: an older database with newer heads would look truncated.
 */
const FILES_BEFORE = [
  "auth.secret",
  SIGNING_KEY_FILE,
  ATTESTATION_KEYS_FILE,
  "secrets.key",
  CHAIN_KEY_FILE,
  HEADS_FILE,
] as const;

/** Space to leave free on the disk of backups. */
const SPARE_BYTES = 16 * 1024 * 1024;

type ListedFile = Manifest["files"][number];

/**
 * Makes a backup in a new folder below `to`, also beside a running server: writes a draft, verifies it completely
 * (checksums, pages and references of the database, the audit log) and renames it. An invalid audit is recorded in the
 * manifest. Throws AppError when there is nothing to back up, the target is unsuitable or the database is damaged, and
 * leaves no files.
 */
export async function writeBackup(
  instance: Instance,
  { to, at }: { to: string; at: Date },
): Promise<{ path: string; manifest: Manifest }> {
  const path = join(resolve(to), backupName(at));
  const draft = `${path}.partial`;
  await assertTarget(instance, path);
  try {
    await makeFolder(draft);
    try {
      const manifest = await writeDraft(instance, draft, at);
      await rename(draft, path);
      await syncToDisk(dirname(path));
      return { path, manifest };
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    throw explain(error, dirname(path));
  }
}

/** Names sort by time. */
function backupName(at: Date): string {
  return `skillgate-${at
    .toISOString()
    .replace(/[-:]/g, "")
    .replace(/\.\d+Z$/, "Z")}`;
}

async function writeDraft({ keyDir, database }: Instance, draft: string, at: Date): Promise<Manifest> {
  const files: ListedFile[] = [];
  const take = async (name: string) => {
    const sha256 = await copyFile(join(keyDir, name), join(draft, name));
    files.push({ path: name, bytes: (await stat(join(draft, name))).size, sha256 });
  };
  for (const name of FILES_BEFORE) if (await isThere(join(keyDir, name))) await take(name);
  const copied = join(draft, database.file);
  const { problems, head, ...facts } = await database.copy(copied);
  if (problems.length > 0)
    throw new AppError("conflict", `The database is damaged: ${problems.slice(0, 3).join("; ")}.`);
  await chmod(copied, 0o600);
  await syncToDisk(copied);
  files.push({ path: database.file, bytes: (await stat(copied)).size, sha256: await hashFile(copied) });
  const segments = await listSegments(keyDir);
  if (segments.length > 0) await mkdir(join(draft, SEGMENTS_FOLDER), { mode: 0o700 });
  for (const name of segments) await take(name);

  const text = writeManifest({
    product: { version: packageJson.version },
    at: at.toISOString(),
    database: { provider: database.provider, file: database.file, ...facts },
    audit: { seq: head?.seq ?? 0, hash: head?.hash ?? "", problem: await database.checkAudit(draft, { head }) },
    files,
  });
  await writeFile(join(draft, MANIFEST_FILE), text, { mode: 0o600, flag: "wx", flush: true });
  if (segments.length > 0) await syncToDisk(join(draft, SEGMENTS_FOLDER));
  await syncToDisk(draft);

  const manifest = await openManifest(draft);
  const changed = await checkFiles(draft, manifest);
  if (changed.length > 0) throw new AppError("conflict", `The backup cannot be read back: ${changed.join("; ")}.`);
  return manifest;
}

async function assertTarget({ dataDir, keyDir, database }: Instance, path: string): Promise<void> {
  const folder = dirname(path);
  for (const own of [dataDir, keyDir]) {
    const way = relative(await realPathOf(own), await realPathOf(folder));
    if (way !== ".." && !way.startsWith(`..${sep}`))
      throw new AppError("invalid", `${folder} is inside the data directory. Choose another folder for backups.`);
  }
  if ((await isThere(path)) || (await isThere(`${path}.partial`)))
    throw new AppError("conflict", `${path} already exists. Try again in a second.`);
  const needed = (await database.size()) + SPARE_BYTES;
  const free = freeSpace(folder);
  if (free !== null && free < needed)
    throw new AppError(
      "storage_full",
      `A backup needs about ${mebibytes(needed)} in ${folder}, but only ${mebibytes(free)} are free. Free some space.`,
    );
}

async function makeFolder(draft: string): Promise<void> {
  try {
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
    await mkdir(draft, { mode: 0o700 });
  } catch (cause) {
    if (isStorageFull(cause, dirname(draft))) throw cause;
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new AppError("invalid", `Backups cannot be written to ${dirname(draft)} (${why}).`, { cause });
  }
}

function explain(error: unknown, folder: string): unknown {
  if (error instanceof AppError || !isStorageFull(error, folder)) return error;
  return new AppError("storage_full", `The backup was aborted, because the disk of ${folder} is full.`, {
    cause: error,
  });
}

/** The real path of the existing part, followed by the rest. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return dirname(path) === path ? path : join(await realPathOf(dirname(path)), basename(path));
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** Paths of sealed segments in the folder of keys. Copied after the database, which names only complete ones. */
async function listSegments(keyDir: string): Promise<string[]> {
  const names = await readdir(join(keyDir, SEGMENTS_FOLDER)).catch(() => []);
  return names
    .filter((name) => /^\d+-\d+\.(?:ndjson\.gz|manifest\.json)$/.test(name))
    .sort()
    .map((name) => `${SEGMENTS_FOLDER}/${name}`);
}
