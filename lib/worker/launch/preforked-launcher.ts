import { execFile } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import type { LaunchContext, Shell } from "./launch-context";
import type { EntryProcess, Launcher } from "./launcher";
import { isShellName, type LauncherFiles, launcherFilesIn, PreforkedProcess, shellScript } from "./preforked-process";

/** What a process reads; it writes to the others. */
const READ = ["input", "wait", "filter"];

/**
 * A shell that starts processes: fork(2) takes time in proportion to the memory of who calls it, and a shell has 0.7 MB. Two at
 * a time on two cores, a sandbox costs 5.5 ms of processor time in all where it cost 11 to 13 (docs/decisions/025). One process
 * at a time.
 */
export interface PreforkedLauncher extends Launcher {
  /** The user id of all that it starts; null for this process's own. */
  uid: number | null;
  /** Whether it can start something now. */
  isFree(): boolean;
  /** Once what it started is over; ends it at once otherwise. */
  close(): void;
}

type LauncherEvents = {
  /** What it started is over, all of it, and has left nothing behind: it can start another. */
  onIdle(): void;
  /** Nothing of it lives any more. */
  onGone(): void;
};

/** Starts such a shell, which ends with this process. `parent` is a directory that its user can reach. Rejects when it cannot be started. */
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
  let onLine: ((said: string) => void) | null = null;

  shell.once("close", () => {
    isClosing = true;
    remove();
    current?.lose();
    onLine?.("");
    onGone();
  });
  let said = "";
  shell.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString("latin1");
    const lines = said.split("\n");
    said = lines.pop() ?? "";
    // The start is answered before the end is told.
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
 * Makes the pipes of a launcher in a directory below `parent`. With a group only root and that may enter it; the pipes are
 * root's, so that a run cannot change their modes, and the group can open each in one direction alone. Without one all is
 * for this process's own user.
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
