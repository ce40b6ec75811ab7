import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { placeSkill } from "./place-skill";
import type { Lease } from "./protocol";
import { removeRunDir } from "./remove-run-dir";
import { RunFailure } from "./run-failure";
import { verifySkill } from "./verify-skill";

/**
 * The directory with a version's files, one for all its sandboxed runs, which mount it read-only. It is placed once and
 * read back in full before each run: a changed one is removed and refused. Throws RunFailure `digest_mismatch`.
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

/** Beside it first, so that nobody finds half a skill; whoever is second throws theirs away. */
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

/** A run that has it mounted keeps what it has; the next one places it anew. */
function moveAway(shared: string): void {
  const away = `${shared}.${randomBytes(6).toString("hex")}`;
  renameSync(shared, away);
  removeRunDir(away);
}
