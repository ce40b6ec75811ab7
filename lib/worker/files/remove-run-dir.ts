import { chmodSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";

/** Removes a run's directory, also the read-only parts and whatever modes the skill gave its own files. */
export function removeRunDir(dir: string): void {
  try {
    openDirectories(dir);
    rmSync(dir, { recursive: true, force: true });
  } catch {
    // A leftover is removed at the next start; the run's outcome must not depend on it.
  }
}

/**
 * The same for when other runs are executed: the files go at once, the directories beside. Kernels make who removes a
 * directory wait for milliseconds, as long as a short run takes. Never rejects.
 */
export async function removeRunDirBeside(dir: string): Promise<void> {
  try {
    for (const emptied of emptyDirectories(dir)) await rmdir(emptied);
  } catch {
    // As above.
  }
}

// Only an owner other than root needs this: nothing can be removed from a directory without write permission.
function openDirectories(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) openDirectories(join(dir, entry.name));
  }
}

/** Removes all but the directories, which are answered with the innermost first. */
function emptyDirectories(dir: string): string[] {
  chmodSync(dir, 0o700);
  const inside = readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return emptyDirectories(path);
    unlinkSync(path);
    return [];
  });
  return [...inside, dir];
}
