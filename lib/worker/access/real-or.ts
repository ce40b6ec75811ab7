import { realpathSync } from "node:fs";

/** A path of the host with its links resolved, or as it is when that is not possible. */
export function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
