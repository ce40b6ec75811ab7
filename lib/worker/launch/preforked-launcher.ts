import { execFile } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import type { EntryProcess } from "./direct-launcher";
import type { Ground, Shell } from "./launch-context";
import { StartedProcess } from "./preforked-process";

/** What a process reads; it writes to the others. */
const READ = ["input", "wait", "filter"];

export type Starter = {
  /** The user id of all that it starts; null for this process's own. */
  uid: number | null;
  /** Whether it can start something now. */
  isFree(): boolean;
  /** Starts a command line of its ground. Null when it cannot; nothing was started then. */
  start(
    command: string[],
    options: { env: Record<string, string>; cwd?: string; waits?: boolean },
  ): Promise<EntryProcess | null>;
  /** Once what it started is over; ends it at once otherwise. */
  close(): void;
};

export type StarterEvents = {
  /** What it started is over, all of it, and has left nothing behind: it can start another. */
  onIdle(): void;
  /** Nothing of it lives any more. */
  onGone(): void;
};

/**
 * Starts a shell that starts processes: fork(2) takes time in proportion to the memory of who calls it, and a shell has very
 * little. One process at a time; it ends with this one. `parent` is a directory that its user can reach. Rejects when it
 * cannot be started.
 */
export async function openStarter(ground: Ground, parent: string, { onIdle, onGone }: StarterEvents): Promise<Starter> {
  const { uid, filter } = ground;
  const { dir, files } = await makeStarterFiles(parent, { gid: uid, filter });
  const remove = () => rmSync(dir, { recursive: true, force: true });
  let shell: Shell;
  try {
    shell = await ground.startShell();
  } catch (error) {
    remove();
    throw error;
  }
  let current: StartedProcess | null = null;
  let isClosing = false;
  let hear: ((said: string) => void) | null = null;

  shell.once("close", () => {
    isClosing = true;
    remove();
    current?.lose();
    hear?.("");
    onGone();
  });
  let said = "";
  shell.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString("latin1");
    const lines = said.split("\n");
    said = lines.pop() ?? "";
    // Whoever waits for the start hears of the end only after it.
    for (const [index, line] of lines.entries()) {
      if (index === 0) hear?.(line);
      else setImmediate(() => hear?.(line));
    }
  });

  const close = () => {
    isClosing = true;
    if (current === null) shell.kill("SIGKILL");
    else shell.stdin.end();
  };

  function settle(child: StartedProcess): void {
    if (current !== child) return;
    current = null;
    const isClean = child.hasEndedItself && ground.isClean(shell.pid);
    if (isClean && !isClosing) onIdle();
    else close();
  }

  return {
    uid,
    isFree: () => current === null && !isClosing,
    start(command, { env, cwd = "/", waits = false }) {
      const words = ground.words(command);
      if (words === null || !Object.keys(env).every(isShellName)) return Promise.resolve(null);
      const has = { filter: filter !== null, tell: ground.isSandbox, wait: waits };
      let child: StartedProcess;
      try {
        child = new StartedProcess(files, { has, shell: ground.isSandbox ? undefined : shell.pid });
      } catch {
        close();
        return Promise.resolve(null);
      }
      current = child;
      child.once("close", () => settle(child));
      const started = new Promise<EntryProcess | null>((resolve) => {
        hear = (line) => {
          const [kind, number] = line.split(" ");
          if (kind === "p") {
            child.pid = Number(number);
            resolve(child);
          } else if (child.pid > 0 && kind === "x") child.end(Number(number), ground.isSandbox);
          else if (child.pid === 0) {
            current = null;
            child.destroy();
            close();
            resolve(null);
          }
        };
      });
      shell.stdin.write(starterScript({ words, env, cwd, files, has }));
      return started;
    },
    close,
  };
}

/**
 * Makes the pipes of a starter in a directory below `parent`. With a group only root and that may enter it; the pipes are
 * root's, so that a run cannot change their modes, and the group can open each in one direction alone. Without one all is
 * for this process's own user.
 */
async function makeStarterFiles(
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

/** Descriptor on which the shell speaks; a process that it starts does not have it. */
const CONTROL = 9;

const NAMES = ["input", "output", "errors", "tell", "wait", "filter"] as const;

export type StarterFiles = Record<(typeof NAMES)[number], string>;

/** Where they are in a starter's directory. */
export function starterFilesIn(dir: string): StarterFiles {
  return Object.fromEntries(NAMES.map((name) => [name, join(dir, name)])) as StarterFiles;
}

export type StarterCommand = {
  /** The program and its arguments. */
  words: string[];
  env: Record<string, string>;
  cwd: string;
  files: StarterFiles;
  /** What it has beyond the three streams: a filter to read, a pipe to tell on and one to wait on. */
  has: { filter?: boolean; tell?: boolean; wait?: boolean };
};

/**
 * The lines by which a shell starts a process and waits for it. It says `p` and the process id once the streams are open,
 * `x` and the exit code in the end. The process has the environment that is given and nothing of the shell's own: `cd`
 * would export two variables.
 */
export function starterScript({ words, env, cwd, files, has }: StarterCommand): string {
  const streams = [
    `${CONTROL}>&1`,
    `<${quote(files.input)}`,
    `>${quote(files.output)}`,
    `2>${quote(files.errors)}`,
    ...(has.filter ? [`3<${quote(files.filter)}`] : []),
    ...(has.tell ? [`4>${quote(files.tell)}`] : []),
    ...(has.wait ? [`5<${quote(files.wait)}`] : []),
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  return [
    `(exec ${streams.join(" ")}`,
    `cd -P /proc/self; self=\${PWD#/proc/}; cd ${quote(cwd)} || exit 1`,
    `echo "p $self" >&${CONTROL}; unset self PWD OLDPWD`,
    `${variables.join(" ")} exec ${words.map(quote).join(" ")} ${CONTROL}>&-)`,
    `echo "x $?"`,
    "",
  ].join("\n");
}

/** What shells do not let be set, or only to a number. */
const OF_SHELLS = /^(_|OPTIND|LINENO|PPID|E?UID|BASHOPTS|SHELLOPTS)$/;

/** Whether a shell can hand over a variable of this name. */
export function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OF_SHELLS.test(name);
}

function quote(word: string): string {
  return /^[A-Za-z0-9_/.,:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
