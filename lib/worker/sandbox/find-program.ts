import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const PROGRAM_DIRS = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"];

/** The absolute path of a program of the system, wherever PATH leads; null where it is not installed. */
export function findProgram(name: string): string | null {
  return PROGRAM_DIRS.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
