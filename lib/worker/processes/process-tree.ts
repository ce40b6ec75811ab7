import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeRunDir } from "../files/run-dirs";
import {
  isProcessInside,
  isThread,
  type ProcessStat,
  readProcessStat,
  readRecords,
  readText,
  readUid,
} from "./read-process";

/** Identifies the processes of a run: those of its entry, and any with the run's directory as cwd or in its environment. */
export type ProcessTree = {
  /** The entry's process; null when only the directory is known (a run of a killed worker). */
  leader: number | null;
  /** Leads the group and session of the entry without being part of the tree; absent where the entry leads them. */
  shell?: number | undefined;
  /** Absolute and without symbolic links, as in /proc; null for a sandboxed run, which has no directory on the host. */
  directory: string | null;
  /** A real user id that only processes of this run have. */
  uid?: number | undefined;
  startedMs: number;
};

/**
 * The living processes of a run's tree, never this one. It includes processes that called setsid. It misses a process that
 * left the group, the directory and its environment and whose parent died, unless the run has a user id of its own.
 */
export function findTree(tree: ProcessTree): number[] {
  const stats = readCandidates(tree).filter(({ pid, state }) => state !== "Z" && state !== "X" && pid !== process.pid);
  const members = new Set(stats.filter((stat) => isMember(stat, tree)).map((stat) => stat.pid));
  addDescendants(members, stats);
  return [...members].filter((pid) => !isThread(pid));
}

export function listChildren(pid: number): number[] {
  return (readRecords(`/proc/${pid}/task/${pid}/children`) ?? "")
    .split(" ")
    .map(Number)
    .filter((child) => child > 0);
}

const sessions = new Set<number>();

/** Marks a session as belonging to an executing run, until the returned function is called. */
export function noteSession(session: number): () => void {
  sessions.add(session);
  return () => sessions.delete(session);
}

function isMember(stat: ProcessStat, { leader, shell, directory, uid }: ProcessTree): boolean {
  if (stat.pid === shell) return false;
  const isOf = (id: number) => id === leader || id === shell;
  const isLed = leader !== null && [stat.pid, stat.group, stat.session].some(isOf);
  if (leader !== null && !isLed && sessions.has(stat.session)) return false;
  const isOwned = uid !== undefined && readUid(stat.pid) === uid;
  return isLed || isOwned || (directory !== null && isProcessInside(stat.pid, directory));
}

function addDescendants(members: Set<number>, stats: ProcessStat[]): void {
  let before: number;
  do {
    before = members.size;
    for (const stat of stats) if (members.has(stat.parent)) members.add(stat.pid);
  } while (members.size > before);
}

function readCandidates({ leader, startedMs }: ProcessTree): ProcessStat[] {
  const isLater = leader !== null && areLaterPidsHigher(leader, startedMs);
  const since = isLater ? readSince(leader) : null;
  if (since !== null) return since;
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  const pids = names.map(Number).filter(Number.isInteger);
  const young = notSeenBefore(pids, startedMs);
  return (isLater ? young.filter((pid) => pid >= leader) : young).map(readProcessStat).filter((stat) => stat !== null);
}

const MAX_FORKS_PER_MS = 20;
const HIGHEST_PID = Number(readText("/proc/sys/kernel/pid_max") ?? 0);

/**
 * Process ids rise until they wrap around. While so little time has passed that they cannot have wrapped, every lower id
 * than the leader's is older than the run; skipping them makes the search of a short run cheap.
 */
function areLaterPidsHigher(leader: number, startedMs: number): boolean {
  return leader + (performance.now() - startedMs) * MAX_FORKS_PER_MS < HIGHEST_PID;
}

const MAX_ONE_BY_ONE = 64;

/**
 * The processes and threads with an id from `first` on. Repeats while new ids are given out, since a process that ended may
 * have started another. Null when there are too many, or the kernel does not report the last id (`ns_last_pid`,
 * proc_sys_kernel(5)).
 */
function readSince(first: number): ProcessStat[] | null {
  const found: ProcessStat[] = [];
  for (let next = first; ; ) {
    const last = Number(readText("/proc/sys/kernel/ns_last_pid") ?? Number.NaN);
    if (!(last >= first && last < first + MAX_ONE_BY_ONE)) return null;
    if (last < next) return found;
    for (; next <= last; next += 1) {
      // Most have ended; checking for the file costs less than the error.
      const stat = existsSync(`/proc/${next}`) ? readProcessStat(next) : null;
      if (stat !== null) found.push(stat);
    }
  }
}

/** Within this time the ids cannot wrap around, so a known id is still the same process. */
const SAME_PROCESS_MS = HIGHEST_PID / 2 / MAX_FORKS_PER_MS;
let seen: { atMs: number; since: Map<number, number> } = { atMs: 0, since: new Map() };

/** The processes that no earlier search has seen before `startedMs`: older ones do not belong to the run. */
function notSeenBefore(pids: number[], startedMs: number): number[] {
  const now = performance.now();
  const known = now - seen.atMs < SAME_PROCESS_MS ? seen.since : new Map<number, number>();
  const since = new Map(pids.map((pid) => [pid, known.get(pid) ?? now]));
  seen = { atMs: now, since };
  return pids.filter((pid) => (since.get(pid) ?? now) >= startedMs);
}

const PASS_MS = 5;
const PATIENCE_MS = 2000;

/** Kills a run's whole tree, repeatedly since processes may fork, for at most 2 s. Returns the number found first. */
export async function killTree(tree: ProcessTree): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  const found = killTreeOnce(tree);
  for (let left = found; left > 0 && performance.now() < deadline; left = killTreeOnce(tree)) await delay(PASS_MS);
  return found;
}

/** Sends SIGKILL to the tree once. Returns the number of living processes found. */
function killTreeOnce(tree: ProcessTree): number {
  const { leader, shell } = tree;
  if (leader !== null) signalGroup(leader, "SIGKILL");
  const pids = findTree(tree);
  // Including the shell: only killing the whole group at once beats a fork bomb. The pool replaces the shell.
  if (shell !== undefined && pids.length > 0) signalGroup(shell, "SIGKILL");
  for (const pid of pids) signal(pid, "SIGKILL");
  return pids.length;
}

export function signalGroup(leader: number, name: NodeJS.Signals): void {
  signal(-leader, name);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already ended, or of another user.
  }
}

const PASSES_AT_END = 100;

/** Ends every process of the runs below this directory and removes their files. Synchronous, for the worker's last action. */
export function endRunsIn(runsDir: string): void {
  const tree = { leader: null, directory: runsDir, startedMs: 0 };
  killUntilNone(() => killTreeOnce(tree));
  for (const name of readdirSync(runsDir)) removeRunDir(join(runsDir, name));
}

/** Repeats a pass of kills until it finds no process, for at most half a second. Synchronous. */
export function killUntilNone(pass: () => number): void {
  for (let count = 0; count < PASSES_AT_END && pass() > 0; count += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PASS_MS);
  }
}
