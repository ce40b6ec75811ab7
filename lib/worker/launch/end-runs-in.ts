import { readdirSync } from "node:fs";
import { join } from "node:path";
import { removeRunDir } from "@/lib/worker/files/remove-run-dir";
import { killTreeOnce } from "./kill-tree";

const PASSES = 100;
const PASS_MS = 5;

/**
 * Ends every process that belongs to a run below this directory and removes what the runs left on disk. Synchronous and
 * within half a second, because it is also the last thing a worker does when its launcher is gone.
 */
export function endRunsIn(runsDir: string): void {
  const tree = { leader: null, directory: runsDir, startedMs: 0 };
  for (let pass = 0; pass < PASSES && killTreeOnce(tree) > 0; pass += 1) sleep(PASS_MS);
  for (const name of readdirSync(runsDir)) removeRunDir(join(runsDir, name));
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
