import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Where every account of a host may write. */
const OPEN_DIRS = ["/tmp", "/var/tmp", "/dev/shm"];

/** Removes what a user id left in the directories that are open to all, so that the next run with that id finds nothing. */
export function removeFilesOf(uid: number, dirs = OPEN_DIRS): void {
  for (const dir of dirs) {
    for (const path of list(dir)) {
      try {
        if (lstatSync(path).uid === uid) rmSync(path, { recursive: true, force: true });
      } catch {
        // Gone meanwhile.
      }
    }
  }
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name));
  } catch {
    return [];
  }
}
