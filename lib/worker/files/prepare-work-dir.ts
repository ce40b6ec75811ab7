import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endRunsIn } from "@/lib/worker/launch/end-runs-in";
import { readProcessStat } from "@/lib/worker/launch/read-process";
import { findSkillsDir } from "./find-skills-dir";
import { removeOldWorkspaces } from "./open-workspace";
import { removeRunDir } from "./remove-run-dir";

const PATIENCE_MS = 5000;

const CACHE_DAYS = 30;

export type WorkDir = {
  path: string;
  /** Files by their hash. */
  cacheDir: string;
  /** What each run without a sandbox has. */
  runsDir: string;
  /** Skills by the digest of their version, for sandboxed runs. */
  skillsDir: string;
  /** What the runs of a session share, by the session's id. */
  workspacesDir: string;
};

/**
 * Makes a work directory ready and takes it for this process alone: what a killed worker left running is ended, what it
 * left on disk removed, and cached files older than 30 days too. Others may pass through it but not list it.
 * Throws when another living worker has the directory.
 */
export async function prepareWorkDir(path: string): Promise<WorkDir> {
  mkdirSync(path, { recursive: true });
  // /proc shows paths without symbolic links, and processes are recognised by them.
  const workDir = realpathSync(path);
  await lockWorkDir(workDir);
  const dirs = { path: workDir, cacheDir: join(workDir, "cache"), runsDir: join(workDir, "runs") };
  for (const dir of Object.values(dirs)) {
    mkdirSync(dir, { recursive: true });
    chmodSync(dir, 0o711);
  }
  endRunsIn(dirs.runsDir);
  removeOldFiles(dirs.cacheDir);
  const skillsDir = findSkillsDir(workDir);
  removeOldSkills(skillsDir);
  const workspacesDir = findSkillsDir(workDir, "workspaces");
  removeOldWorkspaces(workspacesDir);
  return { ...dirs, skillsDir, workspacesDir };
}

/** What a killed worker was placing has a longer name, and goes too. */
function removeOldSkills(skillsDir: string): void {
  for (const name of readdirSync(skillsDir)) {
    const dir = join(skillsDir, name);
    if (!/^[0-9a-f]{64}$/.test(name) || statSync(dir).mtimeMs < oldest()) removeRunDir(dir);
  }
}

const oldest = () => Date.now() - CACHE_DAYS * 24 * 3600 * 1000;

function removeOldFiles(cacheDir: string): void {
  for (const name of readdirSync(cacheDir)) {
    const file = join(cacheDir, name);
    if (statSync(file).mtimeMs < oldest()) rmSync(file, { force: true });
  }
}

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
