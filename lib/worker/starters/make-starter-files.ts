import { execFile } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import { type StarterFiles, starterFilesIn } from "./starter-script";

/** What a process reads; it writes to the others. */
const READ = ["input", "wait", "filter"];

/**
 * Makes the pipes of a starter in a directory below `parent`. With a group only root and that may enter it; the pipes are
 * root's, so that a run cannot change their modes, and the group can open each in one direction alone. Without one all is
 * for this process's own user.
 */
export async function makeStarterFiles(
  parent: string,
  { gid, filter }: { gid: number | null; filter: string | null },
): Promise<{ dir: string; files: StarterFiles }> {
  const program = findProgram("mkfifo");
  if (program === null) throw new Error("mkfifo is not installed.");
  const dir = mkdtempSync(join(parent, "starter-"));
  const files = starterFilesIn(dir);
  const { filter: copy, ...pipes } = files;
  await promisify(execFile)(program, Object.values(pipes), { cwd: "/", env: {} as NodeJS.ProcessEnv });
  if (filter !== null) copyFileSync(filter, copy);
  if (gid === null) return { dir, files };
  for (const [name, path] of Object.entries(filter === null ? pipes : files)) {
    chownSync(path, 0, gid);
    chmodSync(path, READ.includes(name) ? 0o640 : 0o620);
  }
  chownSync(dir, 0, gid);
  chmodSync(dir, 0o710);
  return { dir, files };
}
