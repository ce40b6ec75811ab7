import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sha256Hex } from "@/lib/core/hash";
import { endRunsIn } from "../processes/process-tree";
import { readProcessStat } from "../processes/read-process";
import { removeOldWorkspaces } from "./open-workspace";
import { removeRunDir } from "./run-dirs";

const PATIENCE_MS = 5000;

const CACHE_DAYS = 30;

export type WorkDir = {
  path: string;
  cacheDir: string;
  /** Directories of runs without a sandbox. */
  runsDir: string;
  skillsDir: string;
  workspacesDir: string;
};

/**
 * Prepares a work directory and locks it for this process: ends the processes and removes the files that a killed worker
 * left, and removes cached files older than 30 days. Others can traverse the directory but not list it. Throws when another
 * living worker uses it.
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

/** Locks the directory for this process, by id and start time. Waits up to 5 s for a predecessor that is ending. */
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
    return "";
  }
}

function identify(pid: number): string {
  const stat = readProcessStat(pid);
  if (stat) return String(stat.startTicks);
  try {
    process.kill(pid, 0);
    return "alive";
  } catch {
    return "gone";
  }
}

/** In the work directory, or in the system's temporary directory if a run's user id cannot reach that (below /root). */
export function findSkillsDir(workDir: string, name: "skills" | "workspaces" = "skills"): string {
  const isRoot = process.getuid?.() === 0;
  const dir = isRoot && !isReachable(dirname(workDir)) ? ownTemporary(workDir, name) : join(workDir, name);
  mkdirSync(dir, { recursive: true });
  // Others can traverse it but not list it, regardless of the umask.
  chmodSync(dir, 0o711);
  return dir;
}

/** Whether every account of the host can traverse the directory and its parents. */
export function isReachable(dir: string): boolean {
  const isOpen = (statSync(dir).mode & 0o001) !== 0;
  return isOpen && (dirname(dir) === dir || isReachable(dirname(dir)));
}

function ownTemporary(workDir: string, name: string): string {
  const path = join(tmpdir(), `skillgate-${name}-${sha256Hex(workDir).slice(0, 16)}`);
  mkdirSync(path, { recursive: true, mode: 0o711 });
  const stats = lstatSync(path);
  return stats.isDirectory() && stats.uid === process.getuid?.() ? path : mkdtempSync(`${path}-`);
}

/** The Node for runs: this worker's own, or a copy next to the skills if a run's user id cannot reach it (below /root). */
export function placeNode({ skillsDir }: Pick<WorkDir, "skillsDir">, program = process.execPath): string {
  const path = realpathSync(program);
  if (process.getuid?.() !== 0 || isReachable(dirname(path))) return path;
  const placed = join(skillsDir, "node");
  rmSync(placed, { recursive: true, force: true });
  try {
    linkSync(path, placed);
  } catch {
    copyFileSync(path, placed);
  }
  return placed;
}
