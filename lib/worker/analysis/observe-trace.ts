import { SANDBOX_SKILL } from "../sandbox/sandbox-command";
import { type Canary, DECOY_HOME } from "./decoys";
import { followPaths } from "./follow-paths";
import type { PlantedChanges } from "./hold-planted";
import {
  followControls,
  holdsStartFiles,
  isControlSocket,
  isMetadata,
  isOutside,
  isReadUnasked,
  isSystemPath,
  noteLoaded,
  type StartedProgram,
  skillPathOf,
} from "./places";
import {
  countsAsSent,
  directoryOf,
  FORKS,
  followOwnPorts,
  isTakenOver,
  type Listed,
  localTargetOf,
  noObservations,
  pathText,
  stringsOf,
  type TraceEvent,
  targetsOf,
  unescapeHex,
} from "./read-trace";
import { SERVED_UDP_PORTS } from "./recorder-messages";
import { CHANGES, LOOKS, SENDS } from "./traced-calls";

type Options = {
  canaries: readonly Canary[];
  documents?: readonly string[];
  /** Command lines that the files of the skill name (`namedSecrets`). */
  commands?: readonly string[];
  limit: number;
  nameserver: string;
};

const MAX_PAYLOADS = 500;
const MAX_TOUCHED = 2_000;
const SLASH = 47;
const THROUGH_DESCRIPTOR = /^\/(proc\/[^/]+(\/task\/\d+)?\/fd|dev\/fd)\/\d|^\/dev\/std(in|out|err)$/;

const ALIASES = new Set(["link", "linkat", "rename", "renameat", "renameat2"]);
/** Calls that change what a link leads to. */
const FOLLOWING = new Set(["truncate", "chmod", "fchmodat", "chown", "fchownat", "link", "linkat"]);

/**
 * Turns the events of a traced sandbox into what its program did. Ignores what the sandbox does to build itself: the
 * program begins with the second program that a process inside starts, after the shell that sets the limits.
 */
export function observeTrace({ canaries, documents = [], commands = [], limit, nameserver }: Options) {
  const planted = new Set([...canaries.map(({ path }) => path), ...documents]);
  const seen = noObservations();
  const onLostPath = () => {
    seen.lost.paths += 1;
  };
  const paths = followPaths(canaries, onLostPath);
  const askFor = followControls(commands, {
    onControl: (what) => add(seen.controls, what, what),
    onMissing: (name) => add(seen.lookedFor, name, { path: `${name} on PATH`, exists: false }),
  });
  const builders = new Set<number>();
  const execs = new Map<number, number>();
  const directories = new Map<number, string>();
  /** The program of each process and thread. One that started none has the program that its maker had then. */
  const programs = new Map<number, StartedProgram>();
  /** By process and path, planted secrets that it opened before the call that made it was finished. */
  const doubtful = new Map<number, Map<string, string>>();
  const datagrams = new Set<string>();
  const ownPorts = followOwnPorts();
  const targets = new Map<string, { address: string; port: number }>();
  /** Opened without a time of access, so that the kernel notes no read of what is not known by its path. */
  let untimed = 0;
  let outer: number | null = null;
  let entry: number | null = null;
  let isOver = false;
  let lastDirectory = SANDBOX_SKILL;
  let lastProgram: StartedProgram = { path: "", words: [] };

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
    else if (!builders.has(event.pid) || isTakenOver(event)) onInside(event);
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
      const { path, words } = programs.get(pid) ?? lastProgram;
      const program = `${path} ${words[0] ?? ""}`.trim();
      add(seen.leftRunning, program, program);
    }
    directories.delete(pid);
    programs.delete(pid);
  }

  function countRefused(call: string): void {
    add(seen.refused, call, { call, count: 1 }, (old) => ({ call, count: old.count + 1 }));
  }

  function learnDirectory(pid: number, args: string): void {
    if (args.startsWith("AT_FDCWD<")) directories.set(pid, directoryOf(args) ?? SANDBOX_SKILL);
    // The tracer cannot see the descriptors of a program that its user may not read.
    else if (args.startsWith("AT_FDCWD,")) onLostPath();
    lastDirectory = directories.get(pid) ?? lastDirectory;
  }

  function pathOf(pid: number, args: string, path: Buffer | undefined, isLastFollowed = true): string {
    const directory = directoryOf(args) ?? directories.get(pid) ?? lastDirectory;
    return paths.resolve(directory, path ? pathText(path) : "", { isLastFollowed });
  }

  function onCall({ pid, name, args, result, errno, resultPath, child }: Extract<TraceEvent, { kind: "call" }>): void {
    const isDone = result !== null && result >= 0;
    if (FORKS.has(name)) onFork(pid, child);
    else if (name === "execve" || name === "execveat") {
      const [path, , ...words] = stringsOf(args);
      askFor(pathOf(pid, args, path), isDone, words.join(" "));
      if (isDone) onProgram(pid, args);
      else onLook(pathOf(pid, args, path), false);
    } else if (name === "chdir") {
      if (isDone) directories.set(pid, pathOf(pid, "", stringsOf(args)[0]));
    } else if (name === "fchdir") {
      const directory = directoryOf(args);
      if (isDone && directory !== null) directories.set(pid, directory);
    } else if (name === "socket") {
      const key = resultPath ?? `${pid} ${result}`;
      if (args.includes("SOCK_DGRAM")) datagrams.add(key);
      else datagrams.delete(key);
    } else if (name === "bind" || name === "listen") {
      if (isDone) ownPorts.onOwn(name, args);
    } else if (name === "connect" || SENDS.has(name)) onNetwork({ pid, name, args, isDone, errno, result });
    else if (name === "io_uring_setup") add(seen.lookedFor, name, { path: name, exists: false });
    else if (LOOKS.has(name)) {
      const path = stringsOf(args)[0];
      if (path === undefined || path.length === 0) return;
      askFor(pathOf(pid, args, path), isDone);
      onLook(pathOf(pid, args, path), isDone);
    } else if (CHANGES.has(name)) onChange({ pid, name, args, isDone, errno });
    else if (name.startsWith("open") || name === "creat") {
      if (isDone && resultPath === null) onLostPath();
      onOpen({ pid, name, args, isDone, resultPath });
    }
  }

  function onProgram(pid: number, args: string): void {
    const [path, ...rest] = stringsOf(args);
    const words = rest.map((bytes) => bytes.toString("utf8"));
    const program = pathOf(pid, args, path);
    const line = words.join(" ");
    lastProgram = { path: program, words: words.slice(1) };
    programs.set(pid, lastProgram);
    touch(program);
    for (const word of words) touch(paths.resolve(directories.get(pid) ?? SANDBOX_SKILL, word));
    add(seen.programs, `${program} ${line}`, { path: program, args: line, count: 1 }, (old) => ({
      ...old,
      count: old.count + 1,
    }));
  }

  function onFork(pid: number, child: number | null): void {
    const program = programs.get(pid);
    if (child === null || program === undefined || programs.has(child)) return;
    programs.set(child, program);
    for (const [path, name] of doubtful.get(child) ?? [])
      if (!isReadUnasked(path, program)) add(seen.canariesRead, name, name);
    doubtful.delete(child);
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
    if (isDone && args.includes("O_NOATIME") && paths.canaryAt(path) === undefined) untimed += 1;
  }

  function onRead(pid: number, path: string, named: string): void {
    touch(path);
    const program = programs.get(pid);
    if (program !== undefined) noteLoaded(program, path);
    // The tracer asks for the path after the call: another thread may have renamed the file by then.
    const canary = paths.canaryAt(path) ?? paths.canaryAt(named);
    if (canary !== undefined) onCanary(pid, path, canary);
    else if (!isSystemPath(path) && skillPathOf(path) === null && path.startsWith("/"))
      add(seen.reads, path, { path, canary: false });
  }

  function onCanary(pid: number, path: string, name: string): void {
    add(seen.reads, path, { path, canary: true });
    seen.opened.add(name);
    const program = programs.get(pid);
    if (program === undefined) doubtful.set(pid, (doubtful.get(pid) ?? new Map()).set(path, name));
    else if (!isReadUnasked(path, program)) add(seen.canariesRead, name, name);
  }

  /** Whether a change there is a deed. */
  function isForeign(path: string, isMoved: boolean): boolean {
    const decidesPlaces = isMoved && (paths.holdsCanary(path) || holdsStartFiles(path));
    return decidesPlaces || paths.canaryAt(path) !== undefined || isOutside(path, planted);
  }

  function onWrite(path: string, isRefused: boolean, isMoved = false): void {
    if (!path.startsWith("/")) return;
    const isUnnamed = THROUGH_DESCRIPTOR.test(path);
    if (isUnnamed) seen.unnamed += 1;
    const outside = !isUnnamed && isForeign(path, isMoved);
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
    const isMoved = isLink || isAlias;
    for (const [index, path] of changed.entries()) {
      if (isLink && index === 0) continue;
      if (isInUnknownFolder(pid, parts[index] ?? "", strings[index])) {
        seen.unnamed += 1;
        continue;
      }
      const canary = paths.canaryAt(path);
      if (canary !== undefined && isAlias) onCanary(pid, path, canary);
      onWrite(path, !isDone, isMoved);
    }
    const [from, to] = changed;
    if (!isDone || from === undefined) return;
    if (name.startsWith("unlink")) paths.remove(from);
    if (to === undefined) return;
    if (isLink) paths.link(to, strings[0] ? pathText(strings[0]) : "");
    else if (isAlias) {
      if (name.startsWith("link")) paths.join(from, to);
      else paths.move(from, to, args.includes("RENAME_EXCHANGE"));
    }
  }

  /** A relative path of a process that did not yet show its folder: threads and children share or inherit one. */
  function isInUnknownFolder(pid: number, args: string, path: Buffer | undefined): boolean {
    return directoryOf(args) === null && !directories.has(pid) && path !== undefined && path[0] !== SLASH;
  }

  /**
   * What the kernel noted about the planted files and the rest of the home, which needs no path of a call. Without it, changes
   * through descriptors may have been anywhere.
   */
  function compareHome(home: PlantedChanges | null): void {
    for (const reads of doubtful.values()) for (const name of reads.values()) add(seen.canariesRead, name, name);
    if (home === null) {
      seen.lost.paths += seen.unnamed;
      return;
    }
    seen.lost.paths += home.beyond;
    // Moved unseen, and perhaps what was then opened without a time.
    const moved = untimed > 0 ? home.changed : [];
    for (const path of [...home.read, ...moved]) {
      const canary = canaries.find((planted) => planted.path === path);
      if (canary === undefined || seen.opened.has(canary.name)) continue;
      add(seen.reads, path, { path, canary: true });
      add(seen.canariesRead, canary.name, canary.name);
    }
    for (const path of [...home.changed, ...home.made]) {
      if (!isOutside(path, planted) || isWritten(path)) continue;
      add(seen.writes, path, { path, refused: false, outside: true });
      add(seen.wroteOutside, path, path);
    }
  }

  /** Whether a deed names this path, or a folder that came to its place. */
  function isWritten(path: string): boolean {
    for (let at = path; at.startsWith(`${DECOY_HOME}/`); at = at.slice(0, at.lastIndexOf("/")))
      if (seen.wroteOutside.items.has(at)) return true;
    return false;
  }

  /** The recorder answers it, so it has every question. */
  const isNameserver = ({ address, port }: { address: string; port: number }) => address === nameserver && port === 53;

  type Network = Pick<Extract<TraceEvent, { kind: "call" }>, "pid" | "name" | "args" | "errno" | "result"> & {
    isDone: boolean;
  };

  function onNetwork({ pid, name, args, isDone, errno, result }: Network): void {
    const [, descriptor = "", path = null] = /^(\d+)(?:<((?:\\x[0-9a-f]{2})*)>)?/.exec(args) ?? [];
    // A socket may be used by any thread; its own name tells it from others.
    const key = path === null ? `${pid} ${descriptor}` : pathText(unescapeHex(path));
    const isDatagram = name !== "connect" || datagrams.has(key);
    const local = localTargetOf(args);
    if (local !== null) onLocal(pathOf(pid, "", local), isDone);
    const named = targetsOf(args);
    if (/, (?:msg_name=)?0x[0-9a-f]{6,}/.test(args) && errno !== "EFAULT") seen.lost.payloads += 1;
    // Urgent data is kept apart, and what the program receives itself reaches no recorder.
    if (
      args.includes("MSG_OOB") ||
      (errno !== "ECONNREFUSED" && named.some((target) => !isNameserver(target) && ownPorts.has(target)))
    )
      seen.lost.payloads += 1;
    if (name === "connect" && named[0]) targets.set(key, named[0]);
    for (const target of named) {
      if (isNameserver(target)) continue;
      if (isMetadata(target.address)) add(seen.metadata, target.address, target.address);
      const protocol = isDatagram ? ("udp" as const) : ("tcp" as const);
      const connected = isDone || errno === "EINPROGRESS";
      add(seen.addresses, `${protocol} ${target.address} ${target.port}`, { ...target, protocol, connected });
    }
    const target = named[0] ?? targets.get(key);
    // Of a stream, the recorder has all bytes.
    if (name === "connect" || target === undefined || (named.length === 0 && !datagrams.has(key))) return;
    if (isDone && !SERVED_UDP_PORTS.includes(target.port) && countsAsSent(args, target))
      seen.told += name === "sendmmsg" ? (result ?? 0) : 1;
    const sent = args.replace(/\{sa_family=[^}]*\}/g, "");
    // The tracer cuts long texts, of which the recorder has only those to the ports that it serves.
    if (sent.includes('"...')) seen.lost.payloads += 1;
    for (const bytes of stringsOf(sent).filter(({ length }) => length > 0)) {
      if (seen.payloads.length < MAX_PAYLOADS) seen.payloads.push({ ...target, bytes });
      else if (!isNameserver(target)) seen.lost.payloads += 1;
    }
  }

  /** A Unix socket, of which the world has only those that its own programs make. */
  function onLocal(path: string, isDone: boolean): void {
    if (isControlSocket(path)) add(seen.controls, path, path);
    if (!isDone) onLook(path, false);
  }

  return {
    onEvent,
    compareHome,
    seen,
    hasBegun: () => entry !== null,
    /** Of the tracer's output. */
    onLost: (events: number) => {
      seen.lost.events += events;
    },
  };
}
