import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { RunFailure } from "@/lib/worker/launch/run-failure";
import type { Lease } from "@/lib/worker/protocol";
import { removeRunDir } from "./remove-run-dir";

export type RunDir = { path: string; skillDir: string; homeDir: string };

/** A fresh directory for one attempt at a run: `skill/` for the approved bytes, `home/` that only the run may enter. */
export function createRunDir(runsDir: string, lease: Lease): RunDir {
  const path = join(runsDir, nameOf(lease));
  const dirs = { path, skillDir: join(path, "skill"), homeDir: join(path, "home") };
  makeAnew(path);
  mkdirSync(dirs.skillDir);
  mkdirSync(dirs.homeDir);
  // Whatever the umask is.
  chmodSync(path, 0o711);
  chmodSync(dirs.skillDir, 0o755);
  chmodSync(dirs.homeDir, 0o700);
  return dirs;
}

/** Only a killed worker left one of the same name. */
function makeAnew(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    removeRunDir(path);
    mkdirSync(path);
  }
}

/** Where an attempt keeps its home among the skills, which its user id can reach. */
export function homeFor(lease: Lease, skillsDir: string): string {
  return join(skillsDir, `home-${nameOf(lease)}`);
}

function nameOf({ runId, fence }: Lease): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(runId)) {
    throw new RunFailure("spawn_failed", `The run's id ${JSON.stringify(runId.slice(0, 100))} is no file name.`);
  }
  return `${runId}-${fence}`;
}
