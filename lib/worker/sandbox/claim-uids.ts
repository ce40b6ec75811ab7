import { createServer } from "node:net";
import type { HiddenPlace } from "../access/hidden-places";
import type { Cgroups } from "./cgroups";
import type { SkillStore } from "./open-store";

/** A directory of the host that runs have as their "/", read-only; made at the worker's start by `prepareRoot`. */
export type PreparedRoot = {
  dir: string;
  /** When it last changed: its `ctimeMs` as it was made. */
  changedMs: number;
  /** The Node of runs is a file of it; otherwise that is mounted too. */
  hasNode: boolean;
};

/** What this host can do to keep a run apart, found by trying it. */
export type Bubblewrap = {
  kind: "bubblewrap";
  /** Absolute path. */
  program: string;
  version: string;
  /** Files with the seccomp filter, the second one letting Unix sockets through; null where there is no filter. */
  seccomp: { plain: string; unixSockets: string } | null;
  /** Bubblewrap forbids user namespaces inside, which takes a second one and which older ones cannot; else the filter does. */
  disableUserns: boolean;
  /** Real user ids for runs, one at a time each; null when this process is not root and runs keep its own id. */
  uids: { first: number; count: number } | null;
  /** Absolute path of setpriv, with which a worker that is root hands on single capabilities; null where it cannot. */
  setpriv: string | null;
  /** Absolute path of nsenter, with which a worker that is root gives a run a proxy of its own; null where it cannot. */
  nsenter: string | null;
  /** Limits for all processes of a run together; null where this process may not set them. */
  cgroups: Cgroups | null;
  /** Directories and files to show read-only, and links to make, so that the host's programs work inside. */
  system: {
    dirs: string[];
    files: string[];
    links: { target: string; path: string }[];
    /** What lies in these directories and no run may see. */
    hidden?: HiddenPlace[];
  };
  /** Where the files of skills lie for runs; without one in a folder of the host. */
  store?: SkillStore | null;
  /** Without one each run builds its own root. */
  root?: PreparedRoot | null;
  /** What runs have at /skillgate/node; this process's own program when it is left out. */
  node?: string;
};

/** Namespaces built by root with the system's own programs (util-linux). */
export type Unshared = {
  kind: "unshare";
  /** Of util-linux. */
  version: string;
  /** Why it is not bubblewrap; a sentence for people. */
  whyNotMore: string;
  /** Absolute paths. */
  programs: Record<
    "unshare" | "setpriv" | "setsid" | "mount" | "umount" | "pivot_root" | "mkdir" | "ln" | "cat",
    string
  >;
  /** Absolute path of iproute2's ip, which a network namespace needs for its loopback; null where there is none. */
  ip: string | null;
  store?: SkillStore | null;
  /** An empty directory of the host on which each run mounts its own root. */
  rootDir: string;
  uids: { first: number; count: number };
  nsenter: string | null;
  cgroups: Cgroups | null;
  system: Bubblewrap["system"];
  node?: string;
};

/** Nothing but a user id of its own for each run, and limits: root without namespaces that work. */
export type SeparateUser = {
  kind: "user";
  /** Why it is nothing stronger; a sentence for people. */
  whyNotMore: string;
  /** Absolute path of setpriv, by which a run can gain no privileges; null where it does not work. */
  setpriv: string | null;
  uids: { first: number; count: number };
  cgroups: Cgroups | null;
  node?: string;
};

export type Isolation = Bubblewrap | Unshared | SeparateUser | { kind: "none"; reason: string };

/** Ids that no account of a Linux distribution uses: the first block of those that workers of one host share out, see claimUids. */
const UID_POOL = { first: 60_000, count: 64 };

const BLOCKS = 9;

let claimed: Promise<typeof UID_POOL | null> | null = null;

/**
 * A block of user ids that no other worker of this host has, so that a run's id is its own: the kernel counts processes for
 * each id, lets those of one id signal each other, and runs are recognised by it. The claim is an abstract socket, which ends
 * with this process and is seen in its network namespace only. Null when all blocks are taken.
 */
export function claimUids(): Promise<typeof UID_POOL | null> {
  claimed ??= findFree();
  return claimed;
}

async function findFree(): Promise<typeof UID_POOL | null> {
  for (let block = 0; block < BLOCKS; block += 1) {
    const first = UID_POOL.first + block * UID_POOL.count;
    if (await listen(`\0skillgate-uids-${first}`)) return { first, count: UID_POOL.count };
  }
  return null;
}

function listen(name: string): Promise<boolean> {
  const server = createServer((socket) => void socket.destroy());
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(name, () => {
      server.unref();
      resolve(true);
    });
  });
}
