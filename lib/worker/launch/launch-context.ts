import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { readText } from "../processes/read-process";
import type { Bubblewrap } from "../sandbox/isolation";
import type { SkillStore } from "../sandbox/open-store";
import { OWN_DEV } from "../sandbox/sandbox-command";
import type { MountView } from "./mount-view";

const READY_MS = 10_000;

/** What is meant for a run can reach its shell, too. A signal that is handled is a new process's as it always was. */
const SURVIVED = ["HUP", "INT", "QUIT", "ALRM", "TERM", "USR1", "USR2"];

export type Shell = ChildProcessByStdio<Writable, Readable, null> & { pid: number };

/** Says who it is and lives until it reads the end of its input. */
const HOLDER = ["/bin/sh", "-c", 'echo "$$"; read -r _'];

/**
 * What a preforked launcher stands in, and so all that it starts: a user id, a network namespace and a mount namespace. The
 * kernel makes a network namespace for each run and takes it down after it, which is most of what a short sandbox costs; one
 * that carried no packet is used again (docs/decisions/025).
 */
export type LaunchContext = {
  /** The user id of all that it starts; null for this process's own. */
  uid: number | null;
  /** A file that is read on descriptor 3. */
  filter: string | null;
  /** What it starts are sandboxes, which tell on a descriptor that they are built. */
  isSandbox: boolean;
  startShell(): Promise<Shell>;
  /** What the shell has to start for the words of a command; null when it cannot start that. */
  words(command: string[]): string[] | null;
  /** Whether what this shell started has left nothing that the next one could find. */
  isClean(shell: number): boolean;
};

const END_WITH_WORKER = ["--pdeathsig", "KILL"];

/**
 * Of sandboxes: a user id, a network with nothing in it, and, with a mount view, a `/dev` that runs take over one after the
 * other. Takes bubblewrap with arguments of `sandboxCommand`.
 */
export function sandboxContext(
  { program, nsenter, setpriv, seccomp, store = null }: Bubblewrap & { setpriv: string; nsenter: string },
  { uid, view }: { uid: number; view: MountView | null },
): LaunchContext {
  return {
    uid,
    filter: seccomp?.plain ?? null,
    isSandbox: true,
    async startShell() {
      const held = await createNamespaces(program, view?.mounts ?? ["--dev-bind", "/", "/"], store);
      const mounts = view ? held.mounts : store?.mounts;
      const enter = [`--net=${held.network}`, ...(mounts ? [`--mount=${mounts}`] : [])];
      const drop = ["--reuid", String(uid), "--regid", String(uid), "--clear-groups", ...END_WITH_WORKER];
      try {
        return await startShell([nsenter, ...enter, "--", setpriv, ...drop, "--"]);
      } finally {
        held.release();
      }
    },
    words(command) {
      const end = command.indexOf("--");
      // Nothing behind this is bubblewrap's.
      const built = command.slice(0, end).filter((word) => word !== OWN_NETWORK);
      const taken = view ? adaptToView(built, view) : built;
      return taken && [...taken, ...command.slice(end)];
    },
    isClean: (shell) => !wasUsed(shell),
  };
}

/** Of runs without isolation, in the session of their shell, which has no terminal. */
export function hostContext(setpriv: string): LaunchContext {
  return {
    uid: null,
    filter: null,
    isSandbox: false,
    startShell: () => startShell([setpriv, ...END_WITH_WORKER, "--"]),
    words: (command) => command,
    isClean: () => true,
  };
}

const OWN_NETWORK = "--unshare-net";
const DEV_OF_VIEW = ["--dev-bind", "/dev", "/dev"];
const BINDS = ["--bind", "--ro-bind", "--ro-bind-try", "--dev-bind"];

/** The same sandbox built in a mount view; null when it shows something that is not in there. */
function adaptToView(built: string[], view: MountView): string[] | null {
  const dev = built.findIndex((_, index) => OWN_DEV.every((word, offset) => built[index + offset] === word));
  const isThere = built.every((word, index) => !BINDS.includes(word) || view.holds(built[index + 1] ?? ""));
  return dev === -1 || !isThere ? null : built.toSpliced(dev, OWN_DEV.length, ...DEV_OF_VIEW);
}

/** Whether anything went through the loopback of a process's network, after which sockets and counters may tell of it. */
function wasUsed(pid: number): boolean {
  return !/^\s*lo:\s*0\s+0\s/m.test(readText(`/proc/${pid}/net/dev`) ?? "");
}

/**
 * Makes a network namespace with a loopback and nothing else, and one for mounts built by `mounts`, which bubblewrap sets up
 * for a process that holds them, from what the store's namespace shows; after `release` whoever entered them keeps them. Takes
 * root. Rejects when they cannot be made.
 */
async function createNamespaces(bwrap: string, mounts: string[], store: SkillStore | null) {
  const command = [bwrap, "--unshare-net", "--die-with-parent", ...mounts, "--", ...HOLDER];
  const [program = "", ...args] = store?.enter(command) ?? command;
  const holder = spawn(program, args, {
    cwd: "/",
    env: {} as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
  });
  holder.stdin.on("error", () => {});
  const namespaces = `/proc/${await readPid(holder)}/ns`;
  return { network: `${namespaces}/net`, mounts: `${namespaces}/mnt`, release: () => void holder.stdin.end() };
}

async function readPid(holder: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<number> {
  const [said] = await Promise.race([
    once(holder.stdout, "data"),
    once(holder, "close").then(() => [""]),
    once(holder, "error").then(([error]) => Promise.reject(error)),
  ]);
  const pid = Number(String(said));
  if (!(pid > 0)) throw new Error("bubblewrap made no namespaces");
  return pid;
}

/** Starts a shell that reads its commands from a pipe, by a command line in front of it. Rejects when it does not answer. */
async function startShell([program = "", ...args]: string[]): Promise<Shell> {
  const shell = spawn(program, [...args, "/bin/sh", "-s"], {
    cwd: "/",
    env: {} as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  // Ignores EPIPE; the exit handler reports the failure.
  shell.stdin.on("error", () => {});
  shell.stdin.write(`trap : ${SURVIVED.join(" ")}\necho ready\n`);
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
  return shell as Shell;
}
