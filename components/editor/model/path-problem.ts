import { AppError } from "@/lib/core/errors";
import { assertUniquePaths, safePath } from "@/lib/skill-format/archive/archive-entry";

/** Whether no two paths are one file on any system. */
export function areUnique(paths: string[]): boolean {
  try {
    assertUniquePaths(paths);
    return true;
  } catch {
    return false;
  }
}

/** Why a path cannot be stored beside the others; null when it can. Ignores problems among the others. */
export function pathProblem(path: string, others: readonly string[]): string | null {
  try {
    const safe = safePath(path);
    const rival = others.find((other) => isSafe(other) && !areUnique([other, safe]));
    if (rival !== undefined) assertUniquePaths([rival, safe]);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Whether a path can be stored as it is written. */
export function isSafe(path: string): boolean {
  try {
    return safePath(path) === path;
  } catch {
    return false;
  }
}
