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

/** The processes of a run: those of its entry, and any that has the run's directory as cwd or in its environment. */
export type ProcessTree = {
  /** The entry's process; null when only the directory is known (a dead worker's run). */
  leader: number | null;
  /** Leads the group and session that the entry is in, and is none of its tree; left out where the entry leads them. */
  shell?: number | undefined;
  /** Absolute and free of symbolic links, as /proc shows it; null for a sandboxed run, which has none on the host. */
  directory: string | null;
  /** A real user id that only processes of this run have. */
  uid?: number | undefined;
  /** When the leader was started, on the `performance.now()` clock. */
  startedMs: number;
};

/**
 * The living processes of a run's tree, never this one. The group alone would miss whatever called setsid; a process
 * that left the group, the directory and its environment behind, and whose parent died, is not found, unless the run has
 * a user id of its own.
 */
export function findTree(tree: ProcessTree): number[] {
  const stats = readCandidates(tree).filter(({ pid, state }) => state !== "Z" && state !== "X" && pid !== process.pid);
  const members = new Set(stats.filter((stat) => isMember(stat, tree)).map((stat) => stat.pid));
  addDescendants(members, stats);
  return [...members].filter((pid) => !isThread(pid));
}

/** The living children of a process. */
export function listChildren(pid: number): number[] {
  return (readRecords(`/proc/${pid}/task/${pid}/children`) ?? "")
    .split(" ")
    .map(Number)
    .filter((child) => child > 0);
}

/** Of the runs that execute now. */
const sessions = new Set<number>();

/** A run executes, until the answer is called: what is in this session is no other run's. */
export function noteSession(session: number): () => void {
  sessions.add(session);
  return () => sessions.delete(session);
}

function isMember(stat: ProcessStat, { leader, shell, directory, uid }: ProcessTree): boolean {
  if (stat.pid === shell) return false;
  const isOf = (id: number) => id === leader || id === shell;
  const isLed = leader !== null && [stat.pid, stat.group, stat.session].some(isOf);
  // Without a leader all runs are meant.
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
    // No /proc on this system: the process group is all there is.
    return [];
  }
  const pids = names.map(Number).filter(Number.isInteger);
  const young = notSeenBefore(pids, startedMs);
  return (isLater ? young.filter((pid) => pid >= leader) : young).map(readProcessStat).filter((stat) => stat !== null);
}

const MAX_FORKS_PER_MS = 20;
const HIGHEST_PID = Number(readText("/proc/sys/kernel/pid_max") ?? 0);

/**
 * Process ids are given out in rising order until they start over. While so little time has passed that they cannot have
 * done so, everything below the leader is older than the run; leaving it out makes a short run's sweep cheap.
 */
function areLaterPidsHigher(leader: number, startedMs: number): boolean {
  return leader + (performance.now() - startedMs) * MAX_FORKS_PER_MS < HIGHEST_PID;
}

/** For more, a list of all processes is quicker. */
const MAX_ONE_BY_ONE = 64;

/**
 * What has an id that was given out since this process got its own, itself included, threads among it. Goes on until no
 * more were given out meanwhile, as what is gone may have started something before. Null when those are too many, or the
 * kernel does not say (`ns_last_pid`, proc_sys_kernel(5)).
 */
function readSince(first: number): ProcessStat[] | null {
  const found: ProcessStat[] = [];
  for (let next = first; ; ) {
    const last = Number(readText("/proc/sys/kernel/ns_last_pid") ?? Number.NaN);
    if (!(last >= first && last < first + MAX_ONE_BY_ONE)) return null;
    if (last < next) return found;
    for (; next <= last; next += 1) {
      // Most of them are gone, which an error would say at a higher price.
      const stat = existsSync(`/proc/${next}`) ? readProcessStat(next) : null;
      if (stat !== null) found.push(stat);
    }
  }
}

/** While it takes longer than this to give out all the others, an id that is there again is the same process. */
const SAME_PROCESS_MS = HIGHEST_PID / 2 / MAX_FORKS_PER_MS;
let seen: { atMs: number; since: Map<number, number> } = { atMs: 0, since: new Map() };

/** Those of all living processes that no sweep has seen before a moment: what was there before a run is none of it. */
function notSeenBefore(pids: number[], startedMs: number): number[] {
  const now = performance.now();
  const known = now - seen.atMs < SAME_PROCESS_MS ? seen.since : new Map<number, number>();
  const since = new Map(pids.map((pid) => [pid, known.get(pid) ?? now]));
  seen = { atMs: now, since };
  return pids.filter((pid) => (since.get(pid) ?? now) >= startedMs);
}

const PASS_MS = 5;
const PATIENCE_MS = 2000;

/**
 * Kills a run's whole tree and returns once none of it is left, or after 2 s. Looks again after each pass, because a
 * process may fork between being seen and being killed. Returns how many processes the first look found.
 */
export async function killTree(tree: ProcessTree): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  const found = killTreeOnce(tree);
  for (let left = found; left > 0 && performance.now() < deadline; left = killTreeOnce(tree)) await delay(PASS_MS);
  return found;
}

/** One pass over the tree with SIGKILL. Returns how many living processes were seen. */
function killTreeOnce(tree: ProcessTree): number {
  const { leader, shell } = tree;
  if (leader !== null) signalGroup(leader, "SIGKILL");
  const pids = findTree(tree);
  // The shell with it: only the whole group at once is quicker than what forks without end. Another is soon there.
  if (shell !== undefined && pids.length > 0) signalGroup(shell, "SIGKILL");
  for (const pid of pids) signal(pid, "SIGKILL");
  return pids.length;
}

/** Sends a signal to a process group, which holds everything that did not leave it. */
export function signalGroup(leader: number, name: NodeJS.Signals): void {
  signal(-leader, name);
}

/** Sends a signal to a process, if that lives and is ours. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or not ours to signal.
  }
}

const PASSES_AT_END = 100;

/**
 * Ends every process that belongs to a run below this directory and removes what the runs left on disk. Synchronous, because
 * it is also the last thing a worker does when its launcher is gone.
 */
export function endRunsIn(runsDir: string): void {
  const tree = { leader: null, directory: runsDir, startedMs: 0 };
  killUntilNone(() => killTreeOnce(tree));
  for (const name of readdirSync(runsDir)) removeRunDir(join(runsDir, name));
}

/** Repeats a pass of kills until it finds no process, for half a second at most. Synchronous. */
export function killUntilNone(pass: () => number): void {
  for (let count = 0; count < PASSES_AT_END && pass() > 0; count += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PASS_MS);
  }
}
