import { chmodSync, readdirSync, rmSync } from "node:fs";
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

// Only an owner other than root needs this: nothing can be removed from a directory without write permission.
function openDirectories(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) openDirectories(join(dir, entry.name));
  }
}
