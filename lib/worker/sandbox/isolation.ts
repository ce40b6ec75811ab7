import type { Isolation as Level } from "@/lib/policy/worker-allowance";
import type { HiddenPlace } from "../access/hidden-places";
import type { Cgroups } from "../processes/control-groups";
import type { SkillStore } from "./open-store";

/** A read-only directory of the host that runs use as their "/"; created at the worker's start by `createSharedRoot`. */
export type SharedRoot = {
  dir: string;
  changedMs: number;
  /** The Node for runs is a file in it; otherwise it is mounted separately. */
  hasNode: boolean;
};

/** Isolation by bubblewrap, with what this host supports. */
export type Bubblewrap = {
  kind: "bubblewrap";
  program: string;
  version: string;
  /** Files with the seccomp filters, the second allowing Unix sockets; null where there is no filter. */
  seccomp: { plain: string; unixSockets: string } | null;
  /** Bubblewrap forbids user namespaces inside, which needs a second one and a recent version; otherwise the filter does. */
  disableUserns: boolean;
  /** Real user ids for runs, one run at a time each; null when this process is not root and runs keep its id. */
  uids: { first: number; count: number } | null;
  /** Absolute path of setpriv, which a root worker needs to grant single capabilities; null where it cannot. */
  setpriv: string | null;
  /** Absolute path of nsenter, which a root worker needs to give a run a proxy; null where it cannot. */
  nsenter: string | null;
  cgroups: Cgroups | null;
  /** Directories and files to show read-only, and links to create, so that the host's programs work inside. */
  system: {
    dirs: string[];
    files: string[];
    links: { target: string; path: string }[];
    hidden?: HiddenPlace[];
  };
  /** Holds the skill files of runs; without it they are in a folder of the host. */
  store?: SkillStore | null;
  /** Without it each run builds its own root. */
  root?: SharedRoot | null;
  /** The program that runs have at /skillgate/node; default: this process's own. */
  node?: string;
};

/** Isolation by namespaces that root builds with the system's programs (util-linux). */
export type Unshared = {
  kind: "unshare";
  version: string;
  whyNotMore: string;
  programs: Record<
    "unshare" | "setpriv" | "setsid" | "mount" | "umount" | "pivot_root" | "mkdir" | "ln" | "cat",
    string
  >;
  /** Absolute path of iproute2's ip, which sets up the loopback of a network namespace; null where it is missing. */
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

/** Only a user id of its own for each run, and limits: for root without working namespaces. */
export type SeparateUser = {
  kind: "user";
  whyNotMore: string;
  /** Absolute path of setpriv, which keeps a run from gaining privileges; null where it does not work. */
  setpriv: string | null;
  uids: { first: number; count: number };
  cgroups: Cgroups | null;
  node?: string;
};

export type Isolation = Bubblewrap | Unshared | SeparateUser | { kind: "none"; reason: string };

const LEVELS = { bubblewrap: "sandbox", unshare: "namespaces", user: "process", none: "none" } as const;

/** The level that the worker reports to the server. */
export function isolationLevel(isolation: Isolation): Level {
  return LEVELS[isolation.kind];
}

/** Describes the isolation of runs on this worker, or why there is none; short sentences for people. */
export function describeIsolation(isolation: Isolation): string[] {
  switch (isolation.kind) {
    case "bubblewrap":
      return describeBubblewrap(isolation);
    case "unshare":
      return describeUnshared(isolation);
    case "user":
      return describeUser(isolation);
    default:
      return [
        cut(isolation.reason),
        "Nothing of the host can be hidden: runs with granted paths, network, namespaces or capabilities are refused.",
      ];
  }
}

const PROXY = "Runs with the network have one of their own, with a proxy.";
const NO_PROXY = "Runs with the network are refused: a proxy takes root, nsenter and ip.";
const SEALED = "Skill files are in memory that no other process of the host can access, and are verified there.";
const UNSEALED =
  "Skill files are in a folder of the host: a program of the worker's user could change them after they were verified.";

function describeBubblewrap({ version, seccomp, uids, setpriv, nsenter, cgroups, store }: Bubblewrap): string[] {
  return [
    `bubblewrap ${version}: separate namespaces, no network, a read-only skill, a private file system.`,
    uids === null ? "Runs have the worker's own user id." : ownIds(uids),
    seccomp === null ? `No system call filter for ${process.arch}.` : "A system call filter.",
    "Limits for memory, CPU time, files and disk of each process, and for the number of processes.",
    wholeRun(cgroups),
    nsenter === null ? NO_PROXY : PROXY,
    store ? SEALED : UNSEALED,
    setpriv === null ? "Linux capabilities cannot be granted." : "Linux capabilities can be granted one by one.",
  ];
}

function describeUnshared({ version, uids, nsenter, cgroups, whyNotMore, store }: Unshared): string[] {
  return [
    `unshare (util-linux ${version}): separate namespaces, no network, a read-only skill, a private file system.`,
    ownIds(uids),
    "No system call filter and no user namespace: a run may use every system call that any account may.",
    "Limits for memory, CPU time, files and disk of each process, and for the number of processes.",
    wholeRun(cgroups),
    nsenter === null ? `${NO_PROXY} A run has no loopback.` : PROXY,
    store ? SEALED : UNSEALED,
    "A run that shares the host's network also reaches abstract Unix sockets of the host.",
    "Linux capabilities can be granted one by one.",
    cut(whyNotMore),
  ];
}

function describeUser({ uids, setpriv, cgroups, whyNotMore }: SeparateUser): string[] {
  return [
    ownIds(uids),
    "No namespaces: a run has the whole network, sees the processes of the host and can read what every account may read.",
    setpriv === null
      ? "A run may gain privileges through setuid programs."
      : "A run has no Linux capability and cannot gain one.",
    "Limits for memory, CPU time, open files and file sizes of each process, and for the number of processes; none for the disk.",
    wholeRun(cgroups),
    "Processes that a run leaves running are found by its user id and ended.",
    "Nothing of the host can be hidden: runs with granted paths, network, namespaces or capabilities are refused.",
    cut(whyNotMore),
  ];
}

function ownIds({ first, count }: { first: number; count: number }): string {
  return `Each run has a user id of its own (${first} to ${first + count - 1}).`;
}

function wholeRun(cgroups: Bubblewrap["cgroups"]): string {
  return cgroups === null
    ? "No limit for the memory of a run as a whole: control groups are not writable here."
    : `Limits for the memory and the processes of a run as a whole (control groups, version ${cgroups.version}).`;
}

const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 299)}…` : text);
