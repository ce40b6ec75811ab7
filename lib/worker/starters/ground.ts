import { readText } from "../read-process";
import type { Bubblewrap } from "../sandbox/isolation";
import { openNetwork } from "./open-network";
import { type Shell, startShell } from "./start-shell";

/** Where a starter stands, and so what it starts. */
export type Ground = {
  /** The user id of all that it starts; null for this process's own. */
  uid: number | null;
  /** A file that is read on descriptor 3. */
  filter: string | null;
  /** What it starts are sandboxes, which tell on a descriptor that they are built. */
  isSandbox: boolean;
  startShell(): Promise<Shell>;
  /** What the shell is told, for a command line. */
  words(command: string[]): string[];
  /** Whether what this shell started has left nothing that the next one could find. */
  isClean(shell: number): boolean;
};

const OWN_NETWORK = "--unshare-net";
const END_WITH_WORKER = ["--pdeathsig", "KILL"];

/** Of sandboxes: a user id and a network with nothing in it, which they take over. Takes command lines of `sandboxCommand`. */
export function sandboxGround(
  { program, nsenter, setpriv, seccomp }: Bubblewrap & { setpriv: string; nsenter: string },
  uid: number,
): Ground {
  return {
    uid,
    filter: seccomp?.plain ?? null,
    isSandbox: true,
    async startShell() {
      const network = await openNetwork(program);
      const drop = ["--reuid", String(uid), "--regid", String(uid), "--clear-groups", ...END_WITH_WORKER];
      try {
        return await startShell([nsenter, `--net=${network.path}`, "--", setpriv, ...drop, "--"]);
      } finally {
        network.letGo();
      }
    },
    words: (command) => [program, ...withoutOwnNetwork(command)],
    isClean: (shell) => !wasUsed(shell),
  };
}

/** Of runs without isolation: each leads a session of its own, as a child of this process would. */
export function hostGround({ setpriv, setsid }: { setpriv: string; setsid: string }): Ground {
  return {
    uid: null,
    filter: null,
    isSandbox: false,
    startShell: () => startShell([setpriv, ...END_WITH_WORKER, "--"]),
    words: (command) => [setsid, ...command],
    isClean: () => true,
  };
}

/** Nothing behind `--` is bubblewrap's. */
function withoutOwnNetwork(command: string[]): string[] {
  const end = command.indexOf("--");
  return [...command.slice(0, end).filter((word) => word !== OWN_NETWORK), ...command.slice(end)];
}

/** Whether anything went through the loopback of a process's network, after which sockets and counters may tell of it. */
function wasUsed(pid: number): boolean {
  return !/^\s*lo:\s*0\s+0\s/m.test(readText(`/proc/${pid}/net/dev`) ?? "");
}
