import { LRUCache } from "lru-cache";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeTarGz, writeTarGzOfFolder, writeZip } from "@/lib/skill-format/export/write-archive";
import { checkServable } from "@/lib/skills/approval/check-servable";
import { loadFilesAndDecisions, loadVersion } from "@/lib/skills/skill-access";

import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import { type Archive, type ArchiveFormat, readCachedArchive, storeArchive } from "./archive-cache";
import { packageFiles } from "./package-files";
import type { Published } from "./published";

const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/**
 * Returns a version as one archive: the same bytes on every machine. The caller has just got
 * `published` from `findPublished` or `listPublished`, which check availability; this checks the bytes against what was
 * signed. Throws `not_found` when a path is too long for tar.
 */
export async function getArchive(ctx: Ctx, published: Published, format: ArchiveFormat): Promise<Archive> {
  await assertAsApproved(ctx, published);
  const archive = await cached(`${published.version.id} ${format}`, async () => {
    const value = (await readKept(ctx, published, format)) ?? (await makeArchive(ctx, published, format));
    return { size: value?.bytes.length ?? 0, value };
  });
  if (archive === null) throw new AppError("not_found", "A path of this skill is too long for tar; ask for the .zip.");
  return archive;
}

/** Returns the packaged files of a version, those that `published.files` lists. */
export async function getPackagedFiles(ctx: Ctx, published: Published): Promise<SkillFile[]> {
  await assertAsApproved(ctx, published);
  return packed(ctx, published);
}

export async function getPackagedFile(ctx: Ctx, published: Published, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = (await getPackagedFiles(ctx, published)).find((one) => one.path === path);
  if (file === undefined) throw new Error("a package lists a file that it does not hold");
  return new Uint8Array(file.bytes);
}

/** Reads the stored files too, so that a version changed in the database is not served from the disk either. */
async function readKept(ctx: Ctx, published: Published, format: ArchiveFormat): Promise<Archive | null> {
  const kept = await readCachedArchive(ctx, published.version, format);
  if (kept === null || (format === "zip" && kept.sha256 !== published.package.zipSha256)) return null;
  await readVersionFiles(ctx, await loadFilesAndDecisions(ctx, published.version.id));
  return kept;
}

async function makeArchive(ctx: Ctx, published: Published, format: ArchiveFormat): Promise<Archive | null> {
  const files = await packed(ctx, published);
  const bytes = await writeArchive(published.name, files, format);
  if (bytes === null) return null;
  const archive = { bytes: new Uint8Array(bytes), sha256: sha256Hex(bytes) };
  await storeArchive(ctx, published.version, { format, ...archive });
  return archive;
}

function writeArchive(name: string, files: SkillFile[], format: ArchiveFormat) {
  if (format === "zip") return writeZip("", files);
  if (format === "folder.zip") return writeZip(name, files);
  return format === "tar.gz" ? writeTarGz(files) : writeTarGzOfFolder(name, files);
}

function packed(ctx: Ctx, { version, skill }: Published): Promise<SkillFile[]> {
  return cached(`${version.id} files`, async () => {
    const { files } = await loadFilesAndDecisions(ctx, version.id);
    const value = packageFiles(skill, await readVersionFiles(ctx, { files })).files;
    return { size: value.reduce((sum, file) => sum + file.bytes.length, 0), value };
  });
}

/**
 * Checks the stored version and the bytes of all its files against what was signed. Throws `version_tampered`, or
 * `gone` with the rule `tampered` when its approval does not hold.
 */
export async function assertUntampered(ctx: Ctx, published: Published): Promise<void> {
  await assertAsApproved(ctx, published);
  await readVersionFiles(ctx, await loadFilesAndDecisions(ctx, published.version.id));
}

/** A version changed in the database is neither run nor distributed. */
async function assertAsApproved(ctx: Ctx, { skill, version }: Published): Promise<void> {
  const stored = await loadVersion(ctx, version.id);
  const rest = await loadFilesAndDecisions(ctx, version.id);
  const problem = stored === null ? "it is gone" : await checkServable(ctx, { skill, version: { ...stored, ...rest } });
  if (problem === null) return;
  throw new AppError("gone", `The stored version differs from the approved one: ${problem}.`, {
    rule: "tampered",
  });
}

type Cached = { size: number; value: unknown };

function createCache() {
  return new LRUCache<string, Cached, () => Promise<Cached>>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ size }) => Math.max(1, size),
    fetchMethod: (_key, _stale, { context }) => context(),
    // An entry evicted while it is created still reaches its callers.
    ignoreFetchAbort: true,
  });
}

async function cached<T>(key: string, make: () => Promise<{ size: number; value: T }>): Promise<T> {
  const { value } = await processStore("distribution-archives", createCache).forceFetch(key, { context: make });
  return value as T;
}
