import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const SYSTEM_DIRS = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"];

/** The absolute path of a program in the first of these directories that has it, wherever PATH leads; null in none. */
export function findProgram(name: string, dirs: readonly string[] = SYSTEM_DIRS): string | null {
  return dirs.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}

/** Whether there is a file at this path, or where it leads, that this process may execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
