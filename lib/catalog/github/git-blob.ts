import { createHash } from "node:crypto";
import { SyncFailure } from "../sync-failure";

/** The git blob SHA-1 of these bytes. It only identifies them; approvals rely on the SHA-256 of a version. */
export function gitBlobSha(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const FIRST_LINE = "version https://git-lfs.github.com/spec/v1";
/** Pointers have three short lines. https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const MAX_POINTER_BYTES = 1024;

/** Throws `integrity` when the bytes do not have this sha; `by` names where the sha was read. */
export function assertGitSha(bytes: Uint8Array, file: { sha: string; path: string }, commit: string, by: string): void {
  const got = gitBlobSha(bytes);
  if (got === file.sha) return;
  const where = `${file.path} at ${commit.slice(0, 7)}`;
  throw new SyncFailure("integrity", `${where} has the git sha ${got}, but the ${by} lists ${file.sha}. Sync again.`);
}

/** Whether a file is only a Git LFS pointer: its content is not in git and is not fetched. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_POINTER_BYTES && Buffer.from(bytes).toString("latin1").startsWith(FIRST_LINE);
}
