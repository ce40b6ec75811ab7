import { setTimeout as delay } from "node:timers/promises";
import { findTree, type ProcessTree } from "./find-tree";

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
export function killTreeOnce(tree: ProcessTree): number {
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or not ours to signal.
  }
}
