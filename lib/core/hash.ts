import { hash } from "node:crypto";

/** SHA-256 as 64 lower-case hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data);
}
