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
  stamp: Stamp;
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
        // Runs without isolation can reach the directories of others. What is in a file is looked at before each run.
        if (isAsLeft(found)) return found;
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

/** Each path, with what the system says of it. */
type Stamp = [path: string, state: string][];

/** What tells whether anything in a directory was written, renamed, added, removed or given other rights, even if it was undone. */
export function stampOf(path: string): Stamp {
  const { state, isDirectory } = look(path);
  const inside = isDirectory ? readdirSync(path).flatMap((name) => stampOf(join(path, name))) : [];
  return [[path, state], ...inside];
}

function look(path: string): { state: string; isDirectory: boolean } {
  const { ino, ctimeNs, mode, nlink, size } = lstatSync(path, { bigint: true });
  return { state: [ino, ctimeNs, mode, nlink, size].join(" "), isDirectory: (mode & 0o170000n) === 0o040000n };
}

/** Read anew: a name that came within a tick of the system's clock would not show in the time of its directory. */
function isAsPlaced({ path, stamp }: PlacedDir): boolean {
  return holds(() => stampOf(path).join("\n") === stamp.join("\n"));
}

function isAsLeft({ stamp }: PlacedDir): boolean {
  return holds(() => stamp.every(([path, state]) => look(path).state === state));
}

/** What cannot be read has changed. */
function holds(compare: () => boolean): boolean {
  try {
    return compare();
  } catch {
    return false;
  }
}
