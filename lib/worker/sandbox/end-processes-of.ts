import { listProcessesOf } from "./list-processes-of";

const PASSES = 100;
const PASS_MS = 5;

/** Kills every process with one of these real user ids. Synchronous and within half a second, see endRunsIn. */
export function endProcessesOf(uids: { first: number; count: number }): void {
  for (let pass = 0; pass < PASSES; pass += 1) {
    const pids = listProcessesOf(uids);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PASS_MS);
  }
}
