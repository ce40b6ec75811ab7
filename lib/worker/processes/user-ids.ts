import { lstatSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { RunFailure } from "../run/run-failure";
import { killUntilNone, signal } from "./process-tree";
import { readProcessStat, readUid } from "./read-process";

/** `acquire` returns null when runs use the worker's own id, and throws RunFailure `spawn_failed` when no id is left. */
export type UidPool = { acquire(): number | null; release(uid: number): void; left(): number };

export function createUidPool(range: { first: number; count: number } | null): UidPool {
  const free = range ? Array.from({ length: range.count }, (_, index) => range.first + index) : [];
  return {
    acquire() {
      if (range === null) return null;
      const uid = free.shift();
      if (uid === undefined)
        throw new RunFailure("spawn_failed", "All user ids that this worker has for runs are in use.");
      return uid;
    },
    left: () => (range === null ? Number.POSITIVE_INFINITY : free.length),
    release(uid) {
      free.push(uid);
    },
  };
}

/** Prevents that a run starts as root because no id is left. Throws RunFailure `spawn_failed`. */
export function requireUid(uid: number | null): number {
  if (uid !== null) return uid;
  throw new RunFailure(
    "spawn_failed",
    "This worker has no user id left for the run: it executes more runs than it has ids.",
  );
}

export function listProcessesOf({ first, count }: { first: number; count: number }): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .filter((pid) => {
      const uid = readUid(pid);
      return uid !== null && uid >= first && uid < first + count;
    })
    .filter((pid) => !["Z", "X", undefined].includes(readProcessStat(pid)?.state));
}

export function endProcessesOf(uids: { first: number; count: number }): void {
  killUntilNone(() => {
    const pids = listProcessesOf(uids);
    for (const pid of pids) signal(pid, "SIGKILL");
    return pids.length;
  });
}

const OPEN_DIRS = ["/tmp", "/var/tmp", "/dev/shm"];

/** Removes the files of a user id from the directories that are open to all, so that the next run with that id finds none. */
export function removeFilesOf(uid: number, dirs = OPEN_DIRS): void {
  for (const dir of dirs) {
    for (const path of list(dir)) {
      try {
        if (lstatSync(path).uid === uid) rmSync(path, { recursive: true, force: true });
      } catch {
        // Removed meanwhile.
      }
    }
  }
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name));
  } catch {
    return [];
  }
}

/** Ids that no account of a Linux distribution uses: the first of the blocks that the workers of a host claim, see claimUids. */
const UID_POOL = { first: 60_000, count: 64 };

const BLOCKS = 9;

let claimed: Promise<typeof UID_POOL | null> | null = null;

/**
 * Claims a block of user ids that no other worker of this host uses, so that a run's id is unique: the kernel counts
 * processes per id and lets processes with the same id signal each other, and runs are recognised by it. The claim is an
 * abstract socket, which ends with this process and is visible in its network namespace only. Null when all blocks are
 * claimed.
 */
export function claimUids(): Promise<typeof UID_POOL | null> {
  claimed ??= findFree();
  return claimed;
}

async function findFree(): Promise<typeof UID_POOL | null> {
  for (let block = 0; block < BLOCKS; block += 1) {
    const first = UID_POOL.first + block * UID_POOL.count;
    if (await listen(`\0skillgate-uids-${first}`)) return { first, count: UID_POOL.count };
  }
  return null;
}

function listen(name: string): Promise<boolean> {
  const server = createServer((socket) => void socket.destroy());
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(name, () => {
      server.unref();
      resolve(true);
    });
  });
}
