import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Lease } from "../protocol";
import { RunFailure } from "../run/run-failure";

const MAX_IDLE = 16;

export type RunDirPool = {
  acquire(versionDigest: string): PlacedDir | null;
  /** Call it when the run is over. Keeps the directory only if nothing in it has changed. */
  release(placed: PlacedDir): void;
  close(): void;
};

export type PlacedDir = RunDir & {
  versionDigest: string;
  stamp: Stamp;
};

/**
 * Keeps the directories of runs without isolation: creating and removing one takes as long as many a run. The next run of a
 * version gets a directory that the last run left unchanged, with an empty home. At most 16, the newest.
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
        // Runs without isolation can access the directories of others. The content of files is verified before each run.
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

type Stamp = [path: string, state: string][];

/** Detects whether anything in a directory was written, renamed, added, removed or got other permissions, even if undone. */
export function stampOf(path: string): Stamp {
  const { state, isDirectory } = stateOf(path);
  const inside = isDirectory ? readdirSync(path).flatMap((name) => stampOf(join(path, name))) : [];
  return [[path, state], ...inside];
}

function stateOf(path: string): { state: string; isDirectory: boolean } {
  const { ino, ctimeNs, mode, nlink, size } = lstatSync(path, { bigint: true });
  return { state: [ino, ctimeNs, mode, nlink, size].join(" "), isDirectory: (mode & 0o170000n) === 0o040000n };
}

/** Lists the directory again: a file added within a tick of the system's clock would not change the directory's time. */
function isAsPlaced({ path, stamp }: PlacedDir): boolean {
  return holds(() => stampOf(path).join("\n") === stamp.join("\n"));
}

function isAsLeft({ stamp }: PlacedDir): boolean {
  return holds(() => stamp.every(([path, state]) => stateOf(path).state === state));
}

/** A file that cannot be read has changed. */
function holds(compare: () => boolean): boolean {
  try {
    return compare();
  } catch {
    return false;
  }
}

type RunDir = { path: string; skillDir: string; homeDir: string };

/** Creates a directory for one attempt at a run: `skill/` for the approved bytes, `home/` that only the run may enter. */
export function createRunDir(runsDir: string, lease: Lease): RunDir {
  const path = join(runsDir, nameOf(lease));
  const dirs = { path, skillDir: join(path, "skill"), homeDir: join(path, "home") };
  makeAnew(path);
  mkdirSync(dirs.skillDir);
  mkdirSync(dirs.homeDir);
  // Regardless of the umask.
  chmodSync(path, 0o711);
  chmodSync(dirs.skillDir, 0o755);
  chmodSync(dirs.homeDir, 0o700);
  return dirs;
}

function makeAnew(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    removeRunDir(path);
    mkdirSync(path);
  }
}

/** The home of an attempt, next to the skills, where its user id can reach it. */
export function homeFor(lease: Lease, skillsDir: string): string {
  return join(skillsDir, `home-${nameOf(lease)}`);
}

function nameOf({ runId, fence }: Lease): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(runId)) {
    throw new RunFailure(
      "spawn_failed",
      `The run's id ${JSON.stringify(runId.slice(0, 100))} is not a valid file name.`,
    );
  }
  return `${runId}-${fence}`;
}

/** Removes a run's directory, including read-only parts and files with modes that the skill set. */
export function removeRunDir(dir: string): void {
  try {
    openDirectories(dir);
    rmSync(dir, { recursive: true, force: true });
  } catch {
    // The next start removes leftovers; the run's outcome must not depend on it.
  }
}

/** Removes it without blocking other runs: kernels block the removal of a directory for milliseconds. Never rejects. */
export async function removeRunDirBeside(dir: string): Promise<void> {
  try {
    for (const emptied of emptyDirectories(dir)) await rmdir(emptied);
  } catch {
    // The next start removes leftovers.
  }
}

// Only needed for users other than root: nothing can be removed from a directory without write permission.
function openDirectories(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) openDirectories(join(dir, entry.name));
  }
}

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
