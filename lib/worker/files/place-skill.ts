import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { FileMode } from "@/lib/skill-format/schema";
import type { Lease } from "../protocol";
import { RunFailure } from "../run/run-failure";
import type { SkillStore } from "../sandbox/open-store";
import { removeRunDir } from "./run-dirs";

const BYTES_PER_TURN = 1024 * 1024;

/**
 * Writes a skill's files into its empty directory, read-only, executable where the version says so. Synchronous file calls
 * take a tenth of the time for a skill's few small files; other runs get a turn after each MiB.
 */
export async function placeSkill(
  files: Lease["files"],
  skillDir: string,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<void> {
  const dirs = new Set<string>();
  let written = 0;
  for (const file of files) {
    const target = resolveSkillPath(skillDir, file.path);
    if (target === null) {
      throw new RunFailure(
        "digest_mismatch",
        `The path ${JSON.stringify(file.path)} is not inside the skill's directory.`,
      );
    }
    const bytes = await loadBlob(file);
    mkdirSync(dirname(target), { recursive: true });
    for (let dir = dirname(target); dir.length > skillDir.length; dir = dirname(dir)) dirs.add(dir);
    writeFileSync(target, bytes, { flag: "wx" });
    chmodSync(target, file.mode === "755" ? 0o555 : 0o444);
    written += bytes.length;
    if (written > BYTES_PER_TURN) {
      written = 0;
      await turn();
    }
  }
  for (const dir of [...dirs, skillDir]) chmodSync(dir, 0o555);
}

export function resolveSkillPath(skillDir: string, path: string): string | null {
  const segments = path.split("/");
  const isPlain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return isPlain && !path.includes("\0") ? join(skillDir, path) : null;
}

type PlacedFile = { path: string; mode: FileMode; sha256: string };

/** Compares the digest of the files on disk with the approved version's. Throws RunFailure `digest_mismatch`. */
export function verifySkill(skillDir: string, versionDigest: string): void {
  const digest = digestFiles(listFiles(skillDir, ""));
  if (digest === versionDigest) return;
  throw new RunFailure(
    "digest_mismatch",
    `The skill's files have the digest ${digest}, the approved version has ${versionDigest}.`,
  );
}

function listFiles(skillDir: string, inside: string): PlacedFile[] {
  return readdirSync(join(skillDir, inside), { withFileTypes: true }).flatMap((entry): PlacedFile[] => {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(skillDir, path);
    if (!entry.isFile()) throw new RunFailure("digest_mismatch", `${JSON.stringify(path)} is not a regular file.`);
    const file = join(skillDir, path);
    const mode = statSync(file).mode & 0o111 ? "755" : "644";
    return [{ path, mode, sha256: sha256Hex(readFileSync(file)) }];
  });
}

/**
 * The bytes with this hash, from the cache or else from the server. Cached bytes are hashed at each use. Throws RunFailure
 * `digest_mismatch` when the server sends other bytes, and when the cached file was changed: the change must be noticed.
 * The changed file is removed, so that the next run fetches it again.
 */
export async function loadBlob(
  cacheDir: string,
  file: { path: string; sha256: string },
  fetchBlob: (sha256: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const { sha256 } = file;
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw mismatch(file, "its hash in the lease is not a SHA-256");
  const cached = readCached(join(cacheDir, sha256));
  if (cached && sha256Hex(cached) === sha256) return cached;
  if (cached) {
    rmSync(join(cacheDir, sha256), { force: true });
    throw mismatch(file, "its copy in this worker’s cache was changed. The copy was removed; run it again");
  }
  const bytes = await fetchBlob(sha256);
  const actual = sha256Hex(bytes);
  if (actual !== sha256) throw mismatch(file, `the server sent bytes with the hash ${actual} instead of ${sha256}`);
  writeCached(join(cacheDir, sha256), bytes);
  return bytes;
}

function mismatch(file: { path: string }, problem: string): RunFailure {
  return new RunFailure("digest_mismatch", `The file ${JSON.stringify(file.path)} is refused: ${problem}.`);
}

function readCached(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function writeCached(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o444 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * The directory with a version's files, shared by its sandboxed runs, which mount it read-only. It is created once and
 * verified in full before each run; a changed one is removed. Throws RunFailure `digest_mismatch`.
 */
export async function shareSkill(
  { files, versionDigest }: Pick<Lease, "files" | "versionDigest">,
  skillsDir: string,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<string> {
  if (!/^[0-9a-f]{64}$/.test(versionDigest)) {
    throw new RunFailure("digest_mismatch", "The version's digest in the lease is not a SHA-256.");
  }
  const shared = join(skillsDir, versionDigest);
  if (!existsSync(shared)) await place(files, shared, loadBlob);
  try {
    verifySkill(shared, versionDigest);
    return shared;
  } catch (failure) {
    moveAway(shared);
    throw failure;
  }
}

/**
 * Like `shareSkill`, in a store whose files no other process of the host can change after their verification. When it is full,
 * versions that no run uses are removed. Call `leave` when the run is over.
 */
export async function storeSkill(
  lease: Pick<Lease, "files" | "versionDigest">,
  store: SkillStore,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<{ skillDir: string; leave: () => void }> {
  const { versionDigest } = lease;
  const { inUse } = store;
  const count = (change: number) => {
    const left = (inUse.get(versionDigest) ?? 0) + change;
    if (left > 0) inUse.set(versionDigest, left);
    else inUse.delete(versionDigest);
  };
  const share = () => shareSkill(lease, store.fileOf(store.dir), loadBlob);
  count(1);
  try {
    await share().catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== "ENOSPC") throw failure;
      evictUnused(store);
      return share();
    });
    return { skillDir: join(store.dir, versionDigest), leave: () => count(-1) };
  } catch (failure) {
    count(-1);
    const isFull = (failure as NodeJS.ErrnoException).code === "ENOSPC";
    if (!isFull) throw failure;
    const message = "There is no space for the skill’s files besides those of the executing runs.";
    throw new RunFailure("spawn_failed", message, { cause: failure });
  }
}

function evictUnused({ dir, fileOf, inUse }: SkillStore): void {
  for (const name of readdirSync(fileOf(dir))) {
    if (!inUse.has(name.slice(0, 64))) removeRunDir(join(fileOf(dir), name));
  }
}

/** Creates it under another name first, so that no run finds half a skill; a concurrent second copy is dropped. */
async function place(
  files: Lease["files"],
  shared: string,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<void> {
  const own = `${shared}.${randomBytes(6).toString("hex")}`;
  mkdirSync(own, { recursive: true, mode: 0o755 });
  try {
    await placeSkill(files, own, loadBlob);
    if (!existsSync(shared)) renameSync(own, shared);
  } finally {
    removeRunDir(own);
  }
}

/** Runs that have it mounted keep their files; the next run creates it again. */
function moveAway(shared: string): void {
  const away = `${shared}.${randomBytes(6).toString("hex")}`;
  renameSync(shared, away);
  removeRunDir(away);
}
