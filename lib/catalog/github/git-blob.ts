import { createHash } from "node:crypto";
import { SyncFailure } from "../sync-failure";

/** The SHA-1 by which git names these bytes as a file. It identifies; what decides is the SHA-256 of a version. */
export function gitBlobSha(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const FIRST_LINE = "version https://git-lfs.github.com/spec/v1";
/** Pointers have three short lines. https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const MAX_POINTER_BYTES = 1024;

/** `integrity` when bytes are not the blob of this sha; `by` names who said that they are. */
export function assertGitSha(bytes: Uint8Array, file: { sha: string; path: string }, commit: string, by: string): void {
  const got = gitBlobSha(bytes);
  if (got === file.sha) return;
  const where = `${file.path} at ${commit.slice(0, 7)}`;
  throw new SyncFailure("integrity", `The bytes of ${where} have the git sha ${got}; the ${by} says ${file.sha}.`);
}

/** Whether a file is only a pointer of Git LFS: its content lies elsewhere and is not fetched. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_POINTER_BYTES && Buffer.from(bytes).toString("latin1").startsWith(FIRST_LINE);
}
