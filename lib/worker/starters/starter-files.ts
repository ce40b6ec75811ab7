import { execFile } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import type { StarterFiles } from "./starter-script";

/** What a process reads; it writes to the others. */
const READ = ["input", "wait"];

/**
 * Makes the pipes of a starter in a directory below `parent` that only root and this group may enter. They are root's, so
 * that a run cannot change their modes, and can be opened by the group in one direction alone.
 */
export async function makeStarterFiles(
  parent: string,
  { gid, filter }: { gid: number; filter: string | null },
): Promise<{ dir: string; files: StarterFiles }> {
  const program = findProgram("mkfifo");
  if (program === null) throw new Error("mkfifo is not installed.");
  const dir = mkdtempSync(join(parent, "starter-"));
  const at = (name: string) => join(dir, name);
  const files: StarterFiles = {
    input: at("input"),
    output: at("output"),
    errors: at("errors"),
    tell: at("tell"),
    wait: at("wait"),
    filter: at("filter"),
  };
  const { filter: copy, ...pipes } = files;
  await promisify(execFile)(program, Object.values(pipes), { cwd: "/", env: {} as NodeJS.ProcessEnv });
  for (const [name, path] of Object.entries(pipes)) {
    chownSync(path, 0, gid);
    chmodSync(path, READ.includes(name) ? 0o640 : 0o620);
  }
  if (filter !== null) {
    copyFileSync(filter, copy);
    chownSync(copy, 0, gid);
    chmodSync(copy, 0o640);
  }
  chownSync(dir, 0, gid);
  chmodSync(dir, 0o710);
  return { dir, files };
}
