import { createHash } from "node:crypto";

/** The SHA-1 by which git names these bytes as a file. It identifies; what decides is the SHA-256 of a version. */
export function gitBlobSha(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const FIRST_LINE = "version https://git-lfs.github.com/spec/v1";
/** Pointers have three short lines. https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const MAX_POINTER_BYTES = 1024;

/** Whether a file is only a pointer of Git LFS: its content lies elsewhere and is not fetched. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_POINTER_BYTES && Buffer.from(bytes).toString("latin1").startsWith(FIRST_LINE);
}
