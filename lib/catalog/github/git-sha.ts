import { createHash } from "node:crypto";

/** The SHA-1 by which git names these bytes as a file. It identifies; what decides is the SHA-256 of a version. */
export function gitBlobSha(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
