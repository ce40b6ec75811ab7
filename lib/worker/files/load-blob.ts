import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "@/lib/core/hash";
import { RunFailure } from "@/lib/worker/launch/run-failure";

/**
 * The bytes with this hash, from the cache or else from the server. Cached bytes are hashed at each use. Throws RunFailure
 * `digest_mismatch` when the server sends other bytes, and when the cache holds others: somebody changed them there, and
 * that is to be seen. They are removed, so that the next run fetches them anew.
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
    throw mismatch(file, "its copy in this worker’s cache was changed; the copy is removed, run it again");
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

/** By rename, so that nobody reads half a file. */
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
