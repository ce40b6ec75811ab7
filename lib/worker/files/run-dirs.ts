import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Lease } from "../protocol";
import { RunFailure } from "../run/run-failure";

const MAX_IDLE = 16;

export type RunDirPool = {
  /** A directory in which nobody runs, with the files of a version; null when there is none. It is the caller's alone. */
  acquire(versionDigest: string): PlacedDir | null;
  /** The run in it is over. It is removed when anything in it is not as it was when it was placed. */
  release(placed: PlacedDir): void;
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
export function createRunDirPool(): RunDirPool {
  const idle: PlacedDir[] = [];
  let isClosed = false;

  return {
    acquire(versionDigest) {
      for (;;) {
        const index = idle.findLastIndex((placed) => placed.versionDigest === versionDigest);
        const [found] = index === -1 ? [] : idle.splice(index, 1);
        if (found === undefined) return null;
        // Runs without isolation can reach the directories of others. What is in a file is looked at before each run.
        if (isAsLeft(found)) return found;
        removeRunDir(found.path);
      }
    },
    release(placed) {
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
  const { state, isDirectory } = stateOf(path);
  const inside = isDirectory ? readdirSync(path).flatMap((name) => stampOf(join(path, name))) : [];
  return [[path, state], ...inside];
}

function stateOf(path: string): { state: string; isDirectory: boolean } {
  const { ino, ctimeNs, mode, nlink, size } = lstatSync(path, { bigint: true });
  return { state: [ino, ctimeNs, mode, nlink, size].join(" "), isDirectory: (mode & 0o170000n) === 0o040000n };
}

/** Read anew: a name that came within a tick of the system's clock would not show in the time of its directory. */
function isAsPlaced({ path, stamp }: PlacedDir): boolean {
  return holds(() => stampOf(path).join("\n") === stamp.join("\n"));
}

function isAsLeft({ stamp }: PlacedDir): boolean {
  return holds(() => stamp.every(([path, state]) => stateOf(path).state === state));
}

/** What cannot be read has changed. */
function holds(compare: () => boolean): boolean {
  try {
    return compare();
  } catch {
    return false;
  }
}

type RunDir = { path: string; skillDir: string; homeDir: string };

/** A fresh directory for one attempt at a run: `skill/` for the approved bytes, `home/` that only the run may enter. */
export function createRunDir(runsDir: string, lease: Lease): RunDir {
  const path = join(runsDir, nameOf(lease));
  const dirs = { path, skillDir: join(path, "skill"), homeDir: join(path, "home") };
  makeAnew(path);
  mkdirSync(dirs.skillDir);
  mkdirSync(dirs.homeDir);
  // Whatever the umask is.
  chmodSync(path, 0o711);
  chmodSync(dirs.skillDir, 0o755);
  chmodSync(dirs.homeDir, 0o700);
  return dirs;
}

/** Only a killed worker left one of the same name. */
function makeAnew(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    removeRunDir(path);
    mkdirSync(path);
  }
}

/** Where an attempt keeps its home among the skills, which its user id can reach. */
export function homeFor(lease: Lease, skillsDir: string): string {
  return join(skillsDir, `home-${nameOf(lease)}`);
}

function nameOf({ runId, fence }: Lease): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(runId)) {
    throw new RunFailure("spawn_failed", `The run's id ${JSON.stringify(runId.slice(0, 100))} is no file name.`);
  }
  return `${runId}-${fence}`;
}

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
