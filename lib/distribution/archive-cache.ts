import { randomUUID, verify } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { leastFree } from "@/lib/core/env";
import { isSpaceShort } from "@/lib/core/free-space";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { PACKAGE_FORMAT } from "./package-files";

/** `folder.zip` and `oci.tar.gz` have the files in a folder named for the skill, the others have them at the root. */
export type ArchiveFormat = "zip" | "tar.gz" | "folder.zip" | "oci.tar.gz";
export type Archive = { bytes: Uint8Array<ArrayBuffer>; sha256: string };
type ArchivedVersion = { id: string; digest: string };

/** Total size. Above it, the least recently used archives are evicted. */
export const MAX_CACHE_BYTES = 1024 * 1024 * 1024;
/** Length of an Ed25519 signature in base64, at the end of each file. */
const SIGNATURE_BYTES = 88;

/**
 * Reads the archive of a version from disk. Null without a file, and when the file lacks this instance's signature for
 * this version. The caller checks that the version may be served.
 */
export async function readCachedArchive(
  ctx: Pick<Ctx, "database">,
  version: ArchivedVersion,
  format: ArchiveFormat,
): Promise<Archive | null> {
  const file = fileOf(ctx, version, format);
  const stored = await readFile(file).catch(() => null);
  if (stored === null) return null;
  const bytes = new Uint8Array(stored.subarray(0, Math.max(0, stored.length - SIGNATURE_BYTES)));
  const signature = Buffer.from(stored.subarray(bytes.length).toString("latin1"), "base64");
  const sha256 = sha256Hex(bytes);
  const { publicKey } = await loadSigningKey(ctx.database.keyFolder);
  if (!verify(null, Buffer.from(statementOf(version, format, sha256)), publicKey, signature)) {
    logger.warn({ file, versionId: version.id }, "a cached archive was changed on disk and is rebuilt");
    await rm(file, { force: true }).catch(() => {});
    return null;
  }
  const now = new Date();
  await utimes(file, now, now).catch(() => {});
  return { bytes, sha256 };
}

/**
 * Writes an archive to disk for later processes, unless the disk is almost full. Never throws: an archive can be
 * rebuilt.
 */
export async function storeArchive(
  ctx: Pick<Ctx, "database">,
  version: ArchivedVersion,
  { format, bytes, sha256 = sha256Hex(bytes) }: { format: ArchiveFormat; bytes: Uint8Array; sha256?: string },
): Promise<void> {
  if (isSpaceShort(ctx.database.workFolder, leastFree())) return;
  const file = fileOf(ctx, version, format);
  const making = `${file}.making-${randomUUID()}`;
  try {
    const { sign } = await loadSigningKey(ctx.database.keyFolder);
    const signature = sign(statementOf(version, format, sha256));
    await canCacheArchives(ctx);
    await writeFile(making, Buffer.concat([bytes, Buffer.from(signature, "latin1")]), { mode: 0o600 });
    await rename(making, file);
    const known = totals();
    const total = (known.get(folderOf(ctx)) ?? (await sizeOf(folderOf(ctx))) - bytes.length) + bytes.length;
    known.set(folderOf(ctx), total);
    if (total > MAX_CACHE_BYTES) await trimArchives(ctx, { most: MAX_CACHE_BYTES });
  } catch (err) {
    logger.warn({ err, file }, "an archive could not be written to disk");
    await rm(making, { force: true }).catch(() => {});
  }
}

export async function canCacheArchives(ctx: Pick<Ctx, "database">): Promise<boolean> {
  return mkdir(folderOf(ctx), { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  );
}

/** Ids of the versions with a ZIP in the current format, and the total bytes of the cache. */
export async function listCachedArchives(ctx: Pick<Ctx, "database">): Promise<{ zips: Set<string>; bytes: number }> {
  const names = await readdir(folderOf(ctx)).catch(() => []);
  const end = `.${PACKAGE_FORMAT}.zip`;
  const zips = new Set(names.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length)));
  return { zips, bytes: await sizeOf(folderOf(ctx)) };
}

/**
 * Removes archives for which `isNeeded` is false, then the least recently used ones until at most `most` bytes are
 * left.
 */
export async function trimArchives(
  ctx: Pick<Ctx, "database">,
  { most, isNeeded = () => true }: { most: number; isNeeded?: (versionId: string) => boolean },
): Promise<void> {
  const files = await filesIn(folderOf(ctx));
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { file, name, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= most && isNeeded(name.split(".")[0] ?? "")) continue;
    await rm(file, { force: true });
    total -= size;
  }
  totals().set(folderOf(ctx), total);
}

type KeptFile = { file: string; name: string; size: number; usedAt: number };

async function filesIn(folder: string): Promise<KeptFile[]> {
  const found: KeptFile[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
    found.push({ file, name, size, usedAt: mtimeMs });
  }
  return found;
}

async function sizeOf(folder: string): Promise<number> {
  return (await filesIn(folder)).reduce((sum, { size }) => sum + size, 0);
}

/** Bytes per folder, as far as this process knows. Listing the folder corrects them. */
function totals(): Map<string, number> {
  return processStore("archive-cache-bytes", () => new Map<string, number>());
}

function folderOf({ database }: Pick<Ctx, "database">): string {
  return join(database.workFolder, "door-archives");
}

function fileOf(ctx: Pick<Ctx, "database">, { id }: ArchivedVersion, format: ArchiveFormat): string {
  return join(folderOf(ctx), `${id}.${PACKAGE_FORMAT}.${format}`);
}

/** The signed text. It can never equal an approval, which is a JSON object. */
function statementOf({ id, digest }: ArchivedVersion, format: ArchiveFormat, sha256: string): string {
  return ["skillgate-archive", id, digest, PACKAGE_FORMAT, format, sha256].join("\n");
}
