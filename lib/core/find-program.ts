import { join } from "node:path";
import { isExecutable } from "./is-executable";

const SYSTEM_DIRS = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"];

/** The absolute path of a program in the first of these directories that has it, wherever PATH leads; null in none. */
export function findProgram(name: string, dirs: readonly string[] = SYSTEM_DIRS): string | null {
  return dirs.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}
