import { type ChildProcessByStdio, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { readText } from "../read-process";
import type { Bubblewrap } from "../sandbox/isolation";
import type { EntryProcess } from "../spawn-entry";
import { openNetwork } from "./open-network";
import { StartedProcess } from "./started-process";
import { makeStarterFiles } from "./starter-files";
import { isShellName, starterScript } from "./starter-script";

const READY_MS = 10_000;
const OWN_NETWORK = "--unshare-net";

export type Starter = {
  /** The user id of all that it starts. */
  uid: number;
  /** Whether it can start something now. */
  isFree(): boolean;
  /** Starts a command line of `sandboxCommand`. Null when it cannot; nothing was started then. */
  start(command: string[], options: { env: Record<string, string>; waits: boolean }): Promise<EntryProcess | null>;
  /** Once what it started is over; ends it at once otherwise. */
  close(): void;
};

export type StarterEvents = {
  /** What it started is over, all of it, and has left nothing behind: it can start another. */
  onIdle(): void;
  /** Nothing of it lives any more. */
  onGone(): void;
};

export type StarterOptions = {
  isolation: Bubblewrap & { setpriv: string; nsenter: string };
  uid: number;
  /** A directory that every user id can reach. */
  parent: string;
};

/**
 * Starts a shell that starts sandboxes: fork(2) takes time in proportion to the memory of who calls it, and a shell has
 * very little. It has the user id of the runs and a network namespace with nothing in it, which they take over instead of
 * having one made and removed for each; one in which anything was sent is not used again. It ends with this process.
 * Rejects when it cannot be started.
 */
export async function openStarter(
  { isolation, uid, parent }: StarterOptions,
  { onIdle, onGone }: StarterEvents,
): Promise<Starter> {
  const { program, nsenter, setpriv, seccomp } = isolation;
  const { dir, files } = await makeStarterFiles(parent, { gid: uid, filter: seccomp?.plain ?? null });
  const remove = () => rmSync(dir, { recursive: true, force: true });
  let shell: Shell;
  try {
    shell = await startShell([nsenter, setpriv], uid, program);
  } catch (error) {
    remove();
    throw error;
  }
  let current: StartedProcess | null = null;
  let isClosing = false;
  let hear: ((said: string) => void) | null = null;

  shell.once("close", () => {
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
    for (const line of lines) hear?.(line);
  });

  const close = () => {
    isClosing = true;
    if (current === null) shell.kill("SIGKILL");
    else shell.stdin.end();
  };

  function settle(child: StartedProcess): void {
    if (current !== child) return;
    current = null;
    const isClean = child.hasEndedItself && !wasUsed(shell.pid);
    if (isClean && !isClosing) onIdle();
    else close();
  }

  return {
    uid,
    isFree: () => current === null && !isClosing,
    start(command, { env, waits }) {
      if (!Object.keys(env).every(isShellName)) return Promise.resolve(null);
      let child: StartedProcess;
      try {
        child = new StartedProcess(files, { waits });
      } catch {
        close();
        return Promise.resolve(null);
      }
      current = child;
      child.once("close", () => settle(child));
      const words = [program, ...withoutOwnNetwork(command)];
      const started = new Promise<EntryProcess | null>((resolve) => {
        hear = (line) => {
          const [kind, number] = line.split(" ");
          if (kind === "p") {
            child.pid = Number(number);
            resolve(child);
          } else if (child.pid > 0 && kind === "x") child.end(Number(number));
          else if (child.pid === 0) {
            current = null;
            child.destroy();
            close();
            resolve(null);
          }
        };
      });
      shell.stdin.write(starterScript({ words, env, files, hasFilter: seccomp !== null, waits }));
      return started;
    },
    close,
  };
}

type Shell = ChildProcessByStdio<Writable, Readable, null> & { pid: number };

async function startShell([nsenter, setpriv]: [string, string], uid: number, bwrap: string): Promise<Shell> {
  const network = await openNetwork(bwrap);
  try {
    const drop = ["--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--pdeathsig", "KILL"];
    const shell = spawn(nsenter, [`--net=${network.path}`, "--", setpriv, ...drop, "--", "/bin/sh", "-s"], {
      cwd: "/",
      env: {} as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    // What it cannot be told any more it says by its end.
    shell.stdin.on("error", () => {});
    shell.stdin.write("echo ready\n");
    await whenReady(shell);
    return shell as Shell;
  } finally {
    network.letGo();
  }
}

async function whenReady(shell: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      shell.kill("SIGKILL");
      reject(new Error("the shell was not ready in time"));
    }, READY_MS);
    const settle = (error: Error | null) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    };
    shell.once("error", settle);
    shell.once("exit", () => settle(new Error("the shell ended early")));
    shell.stdout.once("data", () => settle(null));
  });
}

/** The network is the shell's own. Nothing behind `--` is bubblewrap's. */
function withoutOwnNetwork(command: string[]): string[] {
  const end = command.indexOf("--");
  return [...command.slice(0, end).filter((word) => word !== OWN_NETWORK), ...command.slice(end)];
}

/** Whether anything went through the loopback of a process's network, after which sockets and counters may tell of it. */
function wasUsed(pid: number): boolean {
  return !/^\s*lo:\s*0\s+0\s/m.test(readText(`/proc/${pid}/net/dev`) ?? "");
}
