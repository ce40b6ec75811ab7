import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunDir } from "./create-run-dir";
import { removeRunDir, removeRunDirBeside } from "./remove-run-dir";

const MAX_IDLE = 16;

export type RunDirs = {
  /** A directory in which nobody runs, with the files of a version; null when there is none. It is the caller's alone. */
  take(versionDigest: string): PlacedDir | null;
  /** The run in it is over. It is removed when anything in it is not as it was when it was placed. */
  giveBack(placed: PlacedDir): void;
  close(): void;
};

export type PlacedDir = RunDir & {
  versionDigest: string;
  /** Of all that is in it, see `stampOf`. */
  stamp: string;
};

/**
 * Keeps the directories of runs without isolation: making one and removing it takes as long as many a run. The next run of a
 * version has one that the run before left exactly as it found it, its home empty. At most 16, the newest.
 */
export function keepRunDirs(): RunDirs {
  const idle: PlacedDir[] = [];
  let isClosed = false;

  return {
    take(versionDigest) {
      for (;;) {
        const index = idle.findLastIndex((placed) => placed.versionDigest === versionDigest);
        const [found] = index === -1 ? [] : idle.splice(index, 1);
        if (found === undefined) return null;
        // Runs without isolation can reach the directories of others.
        if (isAsPlaced(found)) return found;
        removeRunDir(found.path);
      }
    },
    giveBack(placed) {
      if (isClosed || !isAsPlaced(placed)) return void removeRunDirBeside(placed.path);
      idle.push(placed);
      const oldest = idle.length > MAX_IDLE ? idle.shift() : undefined;
      if (oldest) void removeRunDirBeside(oldest.path);
    },
    close() {
      isClosed = true;
      for (const { path } of idle.splice(0)) removeRunDir(path);
    },
  };
}

/** What tells whether anything in a directory was written, renamed, added, removed or given other rights, even if it was undone. */
export function stampOf(path: string): string {
  const { ino, ctimeNs, mode, nlink, size } = lstatSync(path, { bigint: true });
  const own = [path, ino, ctimeNs, mode, nlink, size].join(" ");
  if ((mode & 0o170000n) !== 0o040000n) return own;
  return [own, ...readdirSync(path).map((name) => stampOf(join(path, name)))].join("\n");
}

function isAsPlaced({ path, stamp }: PlacedDir): boolean {
  try {
    return stampOf(path) === stamp;
  } catch {
    return false;
  }
}
