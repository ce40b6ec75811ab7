import { SANDBOX_SKILL } from "../sandbox/sandbox-command";
import type { Canary } from "./decoys";
import { followPaths } from "./follow-paths";
import {
  holdsStartFiles,
  isMetadata,
  isOutside,
  isReadUnasked,
  isSystemPath,
  type StartedProgram,
  skillPathOf,
} from "./places";
import { directoryOf, stringsOf, type TraceEvent } from "./read-trace";

/** A first-come list of distinct entries; what comes after `limit` is only counted. */
export type Listed<T> = { items: Map<string, T>; beyond: number };

export type Observations = {
  programs: Listed<{ path: string; args: string; count: number }>;
  reads: Listed<{ path: string; canary: boolean }>;
  lookedFor: Listed<{ path: string; exists: boolean }>;
  writes: Listed<{ path: string; refused: boolean; outside: boolean }>;
  addresses: Listed<{ address: string; port: number; protocol: "tcp" | "udp"; connected: boolean }>;
  refused: Listed<{ call: string; count: number }>;
  leftRunning: Listed<string>;
  /** Canaries that the program opened itself, by name. */
  canariesRead: Listed<string>;
  /** Decided when observed: the lists above are full after their limit. */
  wroteOutside: Listed<string>;
  metadata: Listed<string>;
  /** Bytes handed to the network in one call, with their target. */
  payloads: { address: string; port: number; bytes: Buffer }[];
  touched: Set<string>;
  /** What could not be followed or kept, so that a deed may be missing. */
  lost: { payloads: number; paths: number; events: number };
};

type Options = { canaries: readonly Canary[]; limit: number; nameserver: string };

const MAX_PAYLOADS = 500;
const MAX_TOUCHED = 2_000;
const MAX_GUESSES = 16;

/** Calls that only ask whether a path exists, and where their path stands among the strings. */
const LOOKS = new Set([
  "stat",
  "lstat",
  "newfstatat",
  "statx",
  "access",
  "faccessat",
  "faccessat2",
  "readlink",
  "readlinkat",
]);
/** Calls that change the paths they name. */
const CHANGES = new Set([
  ...["unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "truncate"],
  ...["symlink", "symlinkat", "link", "linkat", "chmod", "fchmodat", "chown", "lchown", "fchownat", "mknod", "mknodat"],
]);
const ALIASES = new Set(["link", "linkat", "rename", "renameat", "renameat2"]);
/** Calls that change what a link leads to. */
const FOLLOWING = new Set(["truncate", "chmod", "fchmodat", "chown", "fchownat", "link", "linkat"]);
const SENDS = new Set(["sendto", "sendmsg", "sendmmsg"]);

/** The calls to trace, by name; unknown ones on another architecture are skipped with the `?`. */
export const TRACED_CALLS = [
  ...["execve", "execveat", "open", "openat", "openat2", "creat", "chdir", "fchdir", "socket", "connect"],
  ...["clone", "clone3", "fork", "vfork"],
  // Only because the tracer answers it (`hidePin`).
  "sched_getaffinity",
  ...[...LOOKS, ...CHANGES, ...SENDS],
].map((name) => `?${name}`);

/**
 * Turns the events of a traced sandbox into what its program did. Ignores what the sandbox does to build itself: the
 * program begins with the second program that a process inside starts, after the shell that sets the limits.
 */
export function observeTrace({ canaries, limit, nameserver }: Options) {
  const list = <T>(): Listed<T> => ({ items: new Map(), beyond: 0 });
  const seen: Observations = {
    ...{ programs: list(), reads: list(), lookedFor: list(), writes: list(), addresses: list(), refused: list() },
    ...{ leftRunning: list(), canariesRead: list(), wroteOutside: list(), metadata: list() },
    ...{ payloads: [], touched: new Set(), lost: { payloads: 0, paths: 0, events: 0 } },
  };
  const paths = followPaths(canaries, () => {
    seen.lost.paths += 1;
  });
  const builders = new Set<number>();
  const execs = new Map<number, number>();
  const directories = new Map<number, string>();
  const programs = new Map<number, StartedProgram>();
  const datagrams = new Set<string>();
  const targets = new Map<string, { address: string; port: number }>();
  let outer: number | null = null;
  let entry: number | null = null;
  let isOver = false;
  let lastDirectory = SANDBOX_SKILL;
  let lastProgram: StartedProgram = { path: "", script: "" };

  function add<T>(to: Listed<T>, key: string, value: T, merge?: (old: T) => T): void {
    const old = to.items.get(key);
    if (old !== undefined) {
      if (merge) to.items.set(key, merge(old));
    } else if (to.items.size < limit) to.items.set(key, value);
    else to.beyond += 1;
  }

  function onEvent(event: TraceEvent): void {
    outer ??= event.pid;
    if (entry === null) waitForEntry(event);
    else if (!builders.has(event.pid)) onInside(event);
  }

  function onInside(event: TraceEvent): void {
    if (event.kind === "exit") onExit(event.pid, event.signal);
    else if (event.kind === "call") {
      learnDirectory(event.pid, event.args);
      onCall(event);
    } else if (event.name === "SIGSYS") countRefused(event.call ?? "unknown");
  }

  function waitForEntry(event: TraceEvent): void {
    builders.add(event.pid);
    if (event.kind !== "call" || event.name !== "execve" || event.result !== 0 || event.pid === outer) return;
    const count = (execs.get(event.pid) ?? 0) + 1;
    execs.set(event.pid, count);
    if (count < 2) return;
    entry = event.pid;
    builders.delete(event.pid);
    directories.set(event.pid, SANDBOX_SKILL);
    onProgram(event.pid, event.args);
  }

  function onExit(pid: number, signal: string | null): void {
    if (pid === entry) isOver = true;
    else if (isOver && signal === "SIGKILL") {
      const { path, script } = programs.get(pid) ?? lastProgram;
      const program = `${path} ${script}`.trim();
      add(seen.leftRunning, program, program);
    }
    directories.delete(pid);
    programs.delete(pid);
  }

  function countRefused(call: string): void {
    add(seen.refused, call, { call, count: 1 }, (old) => ({ call, count: old.count + 1 }));
  }

  function learnDirectory(pid: number, args: string): void {
    const directory = args.startsWith("AT_FDCWD<") ? directoryOf(args) : null;
    if (directory !== null) directories.set(pid, directory);
    lastDirectory = directories.get(pid) ?? lastDirectory;
  }

  function pathOf(pid: number, args: string, path: Buffer | undefined, isLastFollowed = true): string {
    const directory = directoryOf(args) ?? directories.get(pid) ?? lastDirectory;
    return paths.resolve(directory, path?.toString("utf8") ?? "", { isLastFollowed });
  }

  function onCall({ pid, name, args, result, errno, resultPath }: Extract<TraceEvent, { kind: "call" }>): void {
    const isDone = result !== null && result >= 0;
    if (name === "execve" || name === "execveat") {
      if (isDone) onProgram(pid, args);
      else onLook(pathOf(pid, args, stringsOf(args)[0]), false);
    } else if (name === "chdir") {
      if (isDone) directories.set(pid, pathOf(pid, "", stringsOf(args)[0]));
    } else if (name === "fchdir") {
      const directory = directoryOf(args);
      if (isDone && directory !== null) directories.set(pid, directory);
    } else if (name === "socket") {
      const key = `${pid} ${result}`;
      if (args.includes("SOCK_DGRAM")) datagrams.add(key);
      else datagrams.delete(key);
    } else if (name === "connect" || SENDS.has(name)) onNetwork({ pid, name, args, isDone, errno });
    else if (LOOKS.has(name)) {
      const path = stringsOf(args)[0];
      if (path && path.length > 0) onLook(pathOf(pid, args, path), isDone);
    } else if (CHANGES.has(name)) onChange({ pid, name, args, isDone, errno });
    else if (name.startsWith("open") || name === "creat") onOpen({ pid, name, args, isDone, resultPath });
  }

  function onProgram(pid: number, args: string): void {
    const [path, ...words] = stringsOf(args).map((bytes) => bytes.toString("utf8"));
    const program = pathOf(pid, args, Buffer.from(path ?? ""));
    const line = words.join(" ");
    lastProgram = { path: program, script: words[1] ?? "" };
    programs.set(pid, lastProgram);
    touch(program);
    for (const word of words) touch(paths.resolve(directories.get(pid) ?? SANDBOX_SKILL, word));
    add(seen.programs, `${program} ${line}`, { path: program, args: line, count: 1 }, (old) => ({
      ...old,
      count: old.count + 1,
    }));
  }

  function touch(path: string): void {
    const inSkill = skillPathOf(path);
    if (inSkill !== null && seen.touched.size < MAX_TOUCHED) seen.touched.add(inSkill);
  }

  function onLook(path: string, exists: boolean): void {
    if (isSystemPath(path) || skillPathOf(path) !== null || path === SANDBOX_SKILL) return;
    add(seen.lookedFor, path, { path, exists });
  }

  type Open = { pid: number; name: string; args: string; isDone: boolean; resultPath: string | null };

  function onOpen({ pid, name, args, isDone, resultPath }: Open): void {
    const named = pathOf(pid, args, stringsOf(args)[0]);
    const path = isDone && resultPath !== null ? resultPath : named;
    const writes = name === "creat" || /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE/.test(args);
    if (writes) onWrite(path, !isDone);
    if (/O_WRONLY|O_PATH|O_DIRECTORY/.test(args) || name === "creat") return;
    if (isDone) onRead(pid, path, named);
    else onLook(path, false);
  }

  function onRead(pid: number, path: string, named: string): void {
    touch(path);
    // The tracer asks for the path after the call: another thread may have renamed the file by then.
    const canary = paths.canaryAt(path) ?? paths.canaryAt(named);
    if (canary !== undefined) onCanary(pid, path, canary);
    else if (!isSystemPath(path) && skillPathOf(path) === null && path.startsWith("/"))
      add(seen.reads, path, { path, canary: false });
  }

  function onCanary(pid: number, path: string, name: string): void {
    add(seen.reads, path, { path, canary: true });
    if (!isReadUnasked(path, programs.get(pid) ?? lastProgram)) add(seen.canariesRead, name, name);
  }

  function onWrite(path: string, isRefused: boolean, isMoved = false): void {
    if (!path.startsWith("/")) return;
    const decidesPlaces = isMoved && (paths.holdsCanary(path) || holdsStartFiles(path));
    const outside = decidesPlaces || paths.canaryAt(path) !== undefined || isOutside(path, canaries);
    if (outside) add(seen.wroteOutside, path, path);
    add(seen.writes, path, { path, refused: isRefused, outside }, (old) => ({
      ...{ path, refused: old.refused && isRefused, outside: old.outside || outside },
    }));
  }

  type Change = { pid: number; name: string; args: string; isDone: boolean; errno: string | null };

  function onChange({ pid, name, args, isDone, errno }: Change): void {
    // `mkdir -p` and others try to create what exists.
    if (errno === "EEXIST") return;
    const strings = stringsOf(args);
    // Each path of an *at call has its own directory before it.
    const parts = args.split(/(?<="), /);
    const isLink = name.startsWith("symlink");
    const isAlias = ALIASES.has(name);
    const isLastFollowed = FOLLOWING.has(name);
    const changed = strings.map((path, index) => pathOf(pid, parts[index] ?? "", path, isLastFollowed));
    for (const path of isLink ? changed.slice(1) : changed) {
      const canary = paths.canaryAt(path);
      if (canary !== undefined && isAlias) onCanary(pid, path, canary);
      onWrite(path, !isDone, isLink || isAlias);
    }
    const [from, to] = changed;
    if (!isDone || from === undefined) return;
    if (name.startsWith("unlink")) paths.remove(from);
    if (to === undefined) return;
    if (isLink) paths.link(to, strings[0]?.toString("utf8") ?? "");
    else if (name.startsWith("link")) paths.join(from, to);
    else if (isAlias) onRename(args, from, to, strings);
  }

  function onRename(args: string, from: string, to: string, strings: Buffer[]): void {
    const isExchange = args.includes("RENAME_EXCHANGE");
    if (args.startsWith('"')) {
      // Nothing says in which folder the process was: what it moved may be in that of any other one.
      const [one = "", other = ""] = strings.map((path) => path.toString("utf8"));
      for (const folder of [...new Set(directories.values())].slice(0, MAX_GUESSES))
        paths.copy(paths.resolve(folder, one), paths.resolve(folder, other));
    }
    paths.move(from, to, isExchange);
  }

  /** The recorder answers it, so it has every question. */
  const isNameserver = ({ address, port }: { address: string; port: number }) => address === nameserver && port === 53;

  type Network = { pid: number; name: string; args: string; isDone: boolean; errno: string | null };

  function onNetwork({ pid, name, args, isDone, errno }: Network): void {
    const key = `${pid} ${/^\d+/.exec(args)?.[0] ?? ""}`;
    const isDatagram = name !== "connect" || datagrams.has(key);
    const named = targetOf(args);
    if (name === "connect" && named !== null) targets.set(key, named);
    if (named !== null && !isNameserver(named)) {
      if (isMetadata(named.address)) add(seen.metadata, named.address, named.address);
      const protocol = isDatagram ? ("udp" as const) : ("tcp" as const);
      const connected = isDone || errno === "EINPROGRESS";
      add(seen.addresses, `${protocol} ${named.address} ${named.port}`, { ...named, protocol, connected });
    }
    const target = named ?? targets.get(key);
    // Of a stream, the recorder has all bytes.
    if (name === "connect" || target === undefined || (named === null && !datagrams.has(key))) return;
    const sent = args.replace(/\{sa_family=[^}]*\}/g, "");
    // The tracer cuts long texts, of which the recorder has only those to the ports that it serves.
    if (sent.includes('"...')) seen.lost.payloads += 1;
    for (const bytes of stringsOf(sent).filter(({ length }) => length > 0)) {
      if (seen.payloads.length < MAX_PAYLOADS) seen.payloads.push({ ...target, bytes });
      else if (!isNameserver(target)) seen.lost.payloads += 1;
    }
  }

  return {
    onEvent,
    seen,
    hasBegun: () => entry !== null,
    /** Of the tracer's output. */
    onLost: (events: number) => {
      seen.lost.events += events;
    },
  };
}

/** The address of a socket call's arguments; null for other families. */
function targetOf(args: string): { address: string; port: number } | null {
  const family = /\{sa_family=AF_INET6?, .*/.exec(args)?.[0];
  if (family === undefined) return null;
  const port = Number(/port=htons\((\d+)\)/.exec(family)?.[1] ?? 0);
  const [address] = stringsOf(family);
  return address === undefined ? null : { address: address.toString("latin1").replace(/^::ffff:/, ""), port };
}
