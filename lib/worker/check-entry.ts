import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { resolveSkillPath } from "./resolve-skill-path";
import { RunFailure } from "./run-failure";

/**
 * The absolute path of a skill's entry. Throws RunFailure `entry_missing` when there is no such file inside the skill's
 * directory (which must be free of symbolic links itself), `entry_not_executable` when it is not a regular executable; a script that a
 * decision made the entry need not have the executable bit.
 */
export function checkEntry(skillDir: string, entry: string, { isScript = false } = {}): string {
  const name = JSON.stringify(entry);
  if (entry === "") throw new RunFailure("entry_missing", "The skill names no entry.");
  const path = resolveSkillPath(skillDir, entry);
  if (path === null) throw new RunFailure("entry_missing", `The entry ${name} is outside the skill's directory.`);
  const stats = readStats(path);
  if (stats === null) throw new RunFailure("entry_missing", `The entry ${name} does not exist in the skill.`);
  if (stats.isSymbolicLink()) throw new RunFailure("entry_not_executable", `The entry ${name} is a symbolic link.`);
  if (stats.isDirectory()) throw new RunFailure("entry_not_executable", `The entry ${name} is a directory.`);
  if (isThroughLink(skillDir, path)) {
    throw new RunFailure("entry_missing", `The entry ${name} is reached through a symbolic link.`);
  }
  if (!stats.isFile() || (!isScript && (stats.mode & 0o111) === 0)) {
    throw new RunFailure("entry_not_executable", `The entry ${name} is not executable (its mode is not 755).`);
  }
  return path;
}

function isThroughLink(skillDir: string, path: string): boolean {
  const parent = dirname(path);
  if (parent.length <= skillDir.length) return false;
  return (readStats(parent)?.isSymbolicLink() ?? true) || isThroughLink(skillDir, parent);
}

function readStats(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}
