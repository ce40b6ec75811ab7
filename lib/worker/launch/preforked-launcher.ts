import { execFile } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import type { LaunchContext, Shell } from "./launch-context";
import type { EntryProcess, Launcher } from "./launcher";
import { isShellName, type LauncherFiles, launcherFilesIn, PreforkedProcess, shellScript } from "./preforked-process";

const READ = ["input", "wait", "filter"];

/**
 * A shell that starts processes, one at a time. The time of fork(2) grows with the memory of the calling process, and a shell
 * has 0.7 MB: with two runs at a time on two cores, a sandbox costs 5.5 ms of processor time instead of 11 to 13
 * (docs/decisions/025).
 */
export interface PreforkedLauncher extends Launcher {
  uid: number | null;
  isFree(): boolean;
  /** Ends the shell when its process is over; at once if it has none. */
  close(): void;
}

type LauncherEvents = {
  onIdle(): void;
  onGone(): void;
};

/** Starts a launcher, which ends with this process. `parent` is a directory that its user can reach. Rejects on failure. */
export async function openPreforkedLauncher(
  context: LaunchContext,
  parent: string,
  { onIdle, onGone }: LauncherEvents,
): Promise<PreforkedLauncher> {
  const { uid, filter } = context;
  const { dir, files } = await makeLauncherFiles(parent, { gid: uid, filter });
  const remove = () => rmSync(dir, { recursive: true, force: true });
  let shell: Shell;
  try {
    shell = await context.startShell();
  } catch (error) {
    remove();
    throw error;
  }
  let current: PreforkedProcess | null = null;
  let isClosing = false;
  let onLine: ((line: string) => void) | null = null;

  shell.once("close", () => {
    isClosing = true;
    remove();
    current?.lose();
    onLine?.("");
    onGone();
  });
  let pending = "";
  shell.stdout.on("data", (chunk: Buffer) => {
    pending += chunk.toString("latin1");
    const lines = pending.split("\n");
    pending = lines.pop() ?? "";
    // The start is reported before the end.
    for (const [index, line] of lines.entries()) {
      if (index === 0) onLine?.(line);
      else setImmediate(() => onLine?.(line));
    }
  });

  const close = () => {
    isClosing = true;
    if (current === null) shell.kill("SIGKILL");
    else shell.stdin.end();
  };

  function settle(child: PreforkedProcess): void {
    if (current !== child) return;
    current = null;
    const isClean = child.hasEndedItself && context.isClean(shell.pid);
    if (isClean && !isClosing) onIdle();
    else close();
  }

  return {
    uid,
    isFree: () => current === null && !isClosing,
    start({ words: given, env, cwd = "/", pipes }) {
      const words = context.words(given);
      if (words === null || !Object.keys(env).every(isShellName)) return Promise.resolve(null);
      const has = { filter: filter !== null, tell: context.isSandbox, wait: pipes === 2 };
      let child: PreforkedProcess;
      try {
        child = new PreforkedProcess(files, { has, shell: context.isSandbox ? undefined : shell.pid });
      } catch {
        close();
        return Promise.resolve(null);
      }
      current = child;
      child.once("close", () => settle(child));
      const started = new Promise<EntryProcess | null>((resolve) => {
        onLine = (line) => {
          const [kind, number] = line.split(" ");
          if (kind === "p") {
            child.pid = Number(number);
            resolve(child);
          } else if (child.pid > 0 && kind === "x") child.end(Number(number), context.isSandbox);
          else if (child.pid === 0) {
            current = null;
            child.destroy();
            close();
            resolve(null);
          }
        };
      });
      shell.stdin.write(shellScript({ words, env, cwd, files, has }));
      return started;
    },
    close,
  };
}

/**
 * Creates the pipes of a launcher in a directory below `parent`. With `gid`, only root and that group may enter it: root
 * owns the pipes, so that a run cannot change their modes, and the group can open each in one direction only. Without it,
 * only this process's user may.
 */
async function makeLauncherFiles(
  parent: string,
  { gid, filter }: { gid: number | null; filter: string | null },
): Promise<{ dir: string; files: LauncherFiles }> {
  const program = findProgram("mkfifo");
  if (program === null) throw new Error("mkfifo is not installed.");
  const dir = mkdtempSync(join(parent, "launcher-"));
  const files = launcherFilesIn(dir);
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
