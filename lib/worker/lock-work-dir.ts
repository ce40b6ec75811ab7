import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readProcessStat } from "./read-process";

const PATIENCE_MS = 5000;

/**
 * Takes a work directory for this process, since each worker ends whatever runs in its own. The lock names a process by
 * id and start time, so the lock of a dead one counts for nothing. A predecessor that is just ending is given 5 s.
 */
export async function lockWorkDir(workDir: string, patienceMs = PATIENCE_MS): Promise<void> {
  const lock = join(workDir, "worker.lock");
  const deadline = performance.now() + patienceMs;
  while (!tryLock(lock)) {
    if (performance.now() > deadline) {
      throw new Error(`The work directory ${workDir} is in use by process ${readLock(lock).split(" ")[0]}.`);
    }
    await delay(50);
  }
}

function tryLock(lock: string): boolean {
  const mine = `${process.pid} ${identify(process.pid)}`;
  try {
    writeFileSync(lock, mine, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const [pid, identity] = readLock(lock).split(" ");
  const isHeld = pid !== undefined && identify(Number(pid)) === identity;
  if (isHeld) return Number(pid) === process.pid;
  rmSync(lock, { force: true });
  return false;
}

function readLock(lock: string): string {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    // Its owner has just ended and removed it.
    return "";
  }
}

/** The start time of a process; without /proc only whether it lives. */
function identify(pid: number): string {
  const stat = readProcessStat(pid);
  if (stat) return String(stat.startTicks);
  try {
    process.kill(pid, 0);
    return "alive";
  } catch {
    // No such process.
    return "gone";
  }
}
