import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const SYSTEM_DIRS = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"];

/**
 * Absolute path of a program in the first of these directories that has it, regardless of PATH; null if none has it.
 */
export function findProgram(name: string, dirs: readonly string[] = SYSTEM_DIRS): string | null {
  return dirs.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}

/** Whether this process may execute the file at this path; follows links. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
