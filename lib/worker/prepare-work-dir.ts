import { chmodSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { endRunsIn } from "./end-runs-in";
import { lockWorkDir } from "./lock-work-dir";

const CACHE_DAYS = 30;

export type WorkDir = { cacheDir: string; runsDir: string };

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
  const dirs = { cacheDir: join(workDir, "cache"), runsDir: join(workDir, "runs") };
  for (const dir of [workDir, dirs.cacheDir, dirs.runsDir]) {
    mkdirSync(dir, { recursive: true });
    chmodSync(dir, 0o711);
  }
  endRunsIn(dirs.runsDir);
  removeOldFiles(dirs.cacheDir);
  return dirs;
}

function removeOldFiles(cacheDir: string): void {
  const oldest = Date.now() - CACHE_DAYS * 24 * 3600 * 1000;
  for (const name of readdirSync(cacheDir)) {
    const file = join(cacheDir, name);
    if (statSync(file).mtimeMs < oldest) rmSync(file, { force: true });
  }
}
