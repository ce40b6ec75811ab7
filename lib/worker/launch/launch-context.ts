import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { readText } from "../processes/read-process";
import type { Bubblewrap } from "../sandbox/isolation";
import type { SkillStore } from "../sandbox/open-store";
import { OWN_DEV } from "../sandbox/sandbox-command";
import type { MountView } from "./mount-view";

const READY_MS = 10_000;

/** Signals meant for a run can also reach its shell. A new process gets the default action of a handled signal. */
const SURVIVED = ["HUP", "INT", "QUIT", "ALRM", "TERM", "USR1", "USR2"];

export type Shell = ChildProcessByStdio<Writable, Readable, null> & { pid: number };

/** Prints its process id and ends at the end of its input. */
const HOLDER = ["/bin/sh", "-c", 'echo "$$"; read -r _'];

/**
 * The user id, network namespace and mount namespace of a preforked launcher and of all processes that it starts. The kernel
 * creates and removes a network namespace for each run, which is most of the cost of a short sandbox; a namespace that
 * carried no packet is reused (docs/decisions/025).
 */
export type LaunchContext = {
  uid: number | null;
  filter: string | null;
  /** Its processes are sandboxes, which report on a descriptor that they are built. */
  isSandbox: boolean;
  startShell(): Promise<Shell>;
  /** The command that the shell starts for a run's command; null when this context cannot start it. */
  words(command: string[]): string[] | null;
  /** Whether the shell's last process left nothing that the next one could find. */
  isClean(shell: number): boolean;
};

const END_WITH_WORKER = ["--pdeathsig", "KILL"];

/** The context of sandboxes, whose runs use the `/dev` of a mount view one after the other. */
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
      const built = command.slice(0, end).filter((word) => word !== OWN_NETWORK);
      const taken = view ? adaptToView(built, view) : built;
      return taken && [...taken, ...command.slice(end)];
    },
    isClean: (shell) => !wasUsed(shell),
  };
}

/** The context of runs without isolation: they share the session of their shell, which has no terminal. */
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

function adaptToView(built: string[], view: MountView): string[] | null {
  const dev = built.findIndex((_, index) => OWN_DEV.every((word, offset) => built[index + offset] === word));
  const isContained = built.every((word, index) => !BINDS.includes(word) || view.holds(built[index + 1] ?? ""));
  return dev === -1 || !isContained ? null : built.toSpliced(dev, OWN_DEV.length, ...DEV_OF_VIEW);
}

/** Whether a packet went through the loopback of a process's network: sockets and counters may then reveal earlier runs. */
function wasUsed(pid: number): boolean {
  return !/^\s*lo:\s*0\s+0\s/m.test(readText(`/proc/${pid}/net/dev`) ?? "");
}

/**
 * Creates a network namespace with only a loopback, and a mount namespace that bubblewrap builds from `mounts` on top of the
 * store's namespace. `release` ends the process that holds them; processes that entered them stay in them. Needs root.
 * Rejects when they cannot be created.
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
  const [output] = await Promise.race([
    once(holder.stdout, "data"),
    once(holder, "close").then(() => [""]),
    once(holder, "error").then(([error]) => Promise.reject(error)),
  ]);
  const pid = Number(String(output));
  if (!(pid > 0)) throw new Error("bubblewrap made no namespaces");
  return pid;
}

/** Starts a shell that reads its commands from a pipe, through the given program. Rejects when it is not ready in 10 s. */
async function startShell([program = "", ...args]: string[]): Promise<Shell> {
  const shell = spawn(program, [...args, "/bin/sh", "-s"], {
    cwd: "/",
    env: {} as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
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
