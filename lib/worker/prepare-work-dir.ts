import { chmodSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { endRunsIn } from "./end-runs-in";
import { findSkillsDir } from "./find-skills-dir";
import { lockWorkDir } from "./lock-work-dir";
import { removeOldWorkspaces } from "./open-workspace";
import { removeRunDir } from "./remove-run-dir";

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
