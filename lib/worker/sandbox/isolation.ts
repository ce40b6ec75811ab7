import type { Isolation as Level } from "@/lib/policy/isolation";
import type { HiddenPlace } from "../access/hidden-places";
import type { Cgroups } from "../processes/control-groups";
import type { SkillStore } from "./open-store";

/** A directory of the host that runs have as their "/", read-only; made at the worker's start by `prepareRoot`. */
export type SharedRoot = {
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
  root?: SharedRoot | null;
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

const LEVELS = { bubblewrap: "sandbox", unshare: "namespaces", user: "process", none: "none" } as const;

/** What the server is told, and goes by. */
export function isolationLevel(isolation: Isolation): Level {
  return LEVELS[isolation.kind];
}

/** What keeps runs apart on this worker, or why nothing does; short sentences for people. */
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
const SEALED = "The files of a skill lie in memory that no other process of the host finds, and are verified there.";
const UNSEALED =
  "The files of a skill lie in a folder of the host: a program of the worker's user could change them after they were verified.";

function describeBubblewrap({ version, seccomp, uids, setpriv, nsenter, cgroups, store }: Bubblewrap): string[] {
  return [
    `bubblewrap ${version}: namespaces of its own, no network, a read-only skill, a private file system.`,
    uids === null ? "Runs have the worker's own user id." : ownIds(uids),
    seccomp === null ? `No system call filter for ${process.arch}.` : "A system call filter.",
    "Limits for memory, CPU time, files and disk, for each process, and for the number of processes.",
    wholeRun(cgroups),
    nsenter === null ? NO_PROXY : PROXY,
    store ? SEALED : UNSEALED,
    setpriv === null ? "Linux capabilities cannot be granted." : "Linux capabilities can be granted one by one.",
  ];
}

function describeUnshared({ version, uids, nsenter, cgroups, whyNotMore, store }: Unshared): string[] {
  return [
    `unshare (util-linux ${version}): namespaces of its own, no network, a read-only skill, a private file system.`,
    ownIds(uids),
    "No system call filter and no user namespace: a run may call all of the kernel that any account may.",
    "Limits for memory, CPU time, files and disk, for each process, and for the number of processes.",
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
    "No namespaces: a run has the whole network, sees the processes of the host and reads what every account may read.",
    setpriv === null
      ? "A run may gain privileges by programs that give them (setuid)."
      : "No Linux capability, and no way to gain one.",
    "Limits for memory, CPU time, open files and file sizes, for each process, and for the number of processes; none for the disk.",
    wholeRun(cgroups),
    "What a run leaves running is found by its user id and ended.",
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
