import { isLoopback } from "@/lib/policy/analysis/known-services";
import { LOOKS } from "./traced-calls";

/**
 * One finished system call, signal or exit of a traced process, as strace(1) prints it with `-f -qq -xx -y --decode-pids=pidns`.
 * `child`: the process or thread that it made, by the id of its own lines; null where it has already ended.
 */
export type TraceEvent = { pid: number } & (
  | {
      kind: "call";
      name: string;
      args: string;
      result: number | null;
      errno: string | null;
      resultPath: string | null;
      child: number | null;
    }
  | { kind: "signal"; name: string; call: string | null }
  | { kind: "exit"; signal: string | null }
);

/** A longer line is cut by us: no call prints more with the lengths that we ask for. */
const MAX_LINE = 256 * 1024;

/**
 * Reads the tracer's lines from chunks of its output. All text of the traced programs is in hexadecimal escapes there
 * (`-xx`), so no name or argument can look like another line or a quote.
 */
export function createTraceReader(onEvent: (event: TraceEvent) => void): {
  write(chunk: Buffer): void;
  lines(): number;
  /** Lines that were cut, so that what they say is unknown. */
  lost(): number;
} {
  let rest = "";
  let lines = 0;
  let lost = 0;
  let isCut = false;
  const unfinished = new Map<number, string>();

  function read(line: string): void {
    lines += 1;
    const at = /^(\d+) +/.exec(line);
    if (!at) return;
    const pid = Number(at[1]);
    const text = line.slice(at[0].length);
    const thread = /^\+\+\+ superseded by execve in pid (\d+)/.exec(text)?.[1];
    if (thread !== undefined) {
      // Another thread started a program: the process goes on with it, under this id, and only then is its line finished.
      const begun = unfinished.get(Number(thread));
      unfinished.delete(Number(thread));
      unfinished.delete(pid);
      if (begun !== undefined) readCall(pid, `${begun}) = 0`);
    } else if (text.startsWith("+++ ")) {
      unfinished.delete(pid);
      onEvent({ pid, kind: "exit", signal: /^\+\+\+ killed by (\w+)/.exec(text)?.[1] ?? null });
    } else if (text.startsWith("--- ")) {
      const [, name = "?"] = /^--- (\w+)/.exec(text) ?? [];
      onEvent({ pid, kind: "signal", name, call: /si_syscall=(?:__NR_)?(\w+)/.exec(text)?.[1] ?? null });
    } else joinCall(pid, text);
  }

  /** A call that another process interrupted is printed in two parts. */
  function joinCall(pid: number, text: string): void {
    const begun = / <(?:unfinished|pid changed to \d+) \.\.\.>$/.exec(text);
    if (begun) {
      unfinished.set(pid, text.slice(0, begun.index));
      return;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    const before = resumed ? unfinished.get(pid) : "";
    unfinished.delete(pid);
    if (before !== undefined) readCall(pid, before + text.slice(resumed?.[0].length ?? 0));
  }

  function readCall(pid: number, line: string): void {
    // A result of the tracer's own is marked behind its explanation.
    const text = line.replace(/ \(INJECTED\)$/, "");
    const name = /^(\w+)\(/.exec(text)?.[1];
    const end = text.lastIndexOf(") ");
    const result = /^\) += (-?\d+|\?|0x[0-9a-f]+)(?:<((?:\\x[0-9a-f]{2})*)>)?(?: (E[A-Z0-9]+))?/.exec(text.slice(end));
    if (name === undefined || result === null) return;
    const [, value = "?", path, errno = null] = result;
    const child = / \/\* (\d+) in strace's PID NS \*\/$/.exec(text)?.[1];
    onEvent({
      ...{ pid, kind: "call", name, errno },
      args: text.slice(name.length + 1, end),
      result: value === "?" ? null : Number(value),
      resultPath: path === undefined ? null : pathText(unescapeHex(path)),
      child: child === undefined ? null : Number(child),
    });
  }

  return {
    write(chunk) {
      const parts = (rest + chunk.toString("latin1")).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        if (!isCut) read(line);
        isCut = false;
      }
      if (rest.length > MAX_LINE || isCut) {
        if (!isCut) lost += 1;
        isCut = true;
        rest = "";
      }
    },
    lines: () => lines,
    lost: () => lost,
  };
}

/** The strings of a call's arguments, in order, and the paths of its descriptors. */
export function stringsOf(args: string): Buffer[] {
  return [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(({ 1: hex = "" }) => unescapeHex(hex));
}

/** The path of the first directory descriptor of a call (`AT_FDCWD</skill>`), or null. */
export function directoryOf(args: string): string | null {
  const hex = /^(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>/.exec(args)?.[1];
  return hex === undefined ? null : pathText(unescapeHex(hex));
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A path as text. Different bytes give different texts, also where they are not UTF-8: a byte is then `\xfe`, a backslash two. */
export function pathText(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes).replaceAll("\\", "\\\\");
  } catch {
    return bytes
      .toString("latin1")
      .replaceAll("\\", "\\\\")
      .replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  }
}

/** The bytes of a text in the tracer's hexadecimal escapes. */
export function unescapeHex(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}

/** The calls that make threads and child processes; both have process ids of their own in a trace. */
export const FORKS = new Set(["clone", "fork", "vfork"]);

/** The ports that the kernel chooses for a socket (`ip_local_port_range`, of a new network). */
const CHOSEN_PORTS = { from: 32_768, to: 60_999 };

/**
 * Ports at which a program listens itself: in the network of a recorder every address leads to it, but those of the loopback.
 */
export function followOwnPorts() {
  const ports = new Set<number>();
  const bound = new Set<string>();
  return {
    /** A call that succeeded: `bind`, or `listen`, which needs no port before it. */
    onOwn(name: string, args: string): void {
      const [socket = ""] = /^\d+(?:<[^>]*>)?/.exec(args) ?? [];
      if (name === "listen" && !bound.has(socket)) ports.add(0);
      bound.add(socket);
      for (const { address, port } of targetsOf(args)) if (!/^127\.|^::1$/.test(address)) ports.add(port);
    },
    /** Whether what is sent there may reach the program itself, and is not for the loopback. */
    has({ address, port }: { address: string; port: number }): boolean {
      if (isLoopback(address)) return false;
      return ports.has(port) || (ports.has(0) && port >= CHOSEN_PORTS.from && port <= CHOSEN_PORTS.to);
    },
  };
}

/** Flags with which a call succeeds before, or without, a datagram. */
const SENDS_NOTHING = /\bMSG_(?:MORE|PROBE|CONFIRM)\b/;

/** Whether a call that succeeded sent a datagram that the kernel counts at its port. */
export function countsAsSent(args: string, { address }: { address: string }): boolean {
  return !SENDS_NOTHING.test(args) && !/^(?:22[4-9]|23\d)\.|^ff[0-9a-f]{2}:/i.test(address);
}

/** Of an address without a family: two for the port, then four. */
const IPV4_BYTES = 6;

/** The addresses of a socket call's arguments. For a datagram without a family, Linux takes the bytes for an IPv4 address. */
export function targetsOf(args: string): { address: string; port: number }[] {
  return [...args.matchAll(/\{sa_family=AF_(INET6?|UNSPEC), ([^}]*)\}/g)].flatMap(([, family, text = ""]) => {
    const [bytes] = stringsOf(text);
    if (bytes === undefined) return [];
    if (family === "UNSPEC") {
      if (bytes.length < IPV4_BYTES) return [];
      return [{ address: [...bytes.subarray(2, IPV4_BYTES)].join("."), port: bytes.readUInt16BE(0) }];
    }
    const port = Number(/port=htons\((\d+)\)/.exec(text)?.[1] ?? 0);
    return [{ address: bytes.toString("latin1").replace(/^::ffff:/, ""), port }];
  });
}

/** The path of a Unix socket that a call names; null for other addresses and for names without a file. */
export function localTargetOf(args: string): Buffer | null {
  const hex = /\{sa_family=AF_UNIX, sun_path="((?:\\x[0-9a-f]{2})+)"/.exec(args)?.[1];
  return hex === undefined ? null : unescapeHex(hex);
}

/** `self/fd` below `/proc` in the tracer's spelling, which bubblewrap's first process opens through a descriptor. */
const OWN_DESCRIPTORS = /^\d+<\\x2f\\x70\\x72\\x6f\\x63>, "\\x73\\x65\\x6c\\x66\\x2f\\x66\\x64"/;

/** Whether a process that built the sandbox, or waits for its end, does what only a program that took it over would. */
export function isTakenOver(event: TraceEvent): boolean {
  if (event.kind !== "call" || LOOKS.has(event.name)) return false;
  if (event.name.startsWith("open")) return !OWN_DESCRIPTORS.test(event.args);
  return !["chdir", "fchdir", "clone", "fork", "vfork", "sched_getaffinity"].includes(event.name);
}

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
  /** Programs and services that keep credentials or start programs, asked for by name. */
  controls: Listed<string>;
  /** Bytes handed to the network in one call, with their target. */
  payloads: { address: string; port: number; bytes: Buffer }[];
  touched: Set<string>;
  /** Planted secrets that a call opened, by name, whether a deed or not. */
  opened: Set<string>;
  /** Changes that went through an open descriptor, whose path the call does not tell. */
  unnamed: number;
  /** What could not be followed or kept, so that a deed may be missing. */
  lost: { payloads: number; paths: number; events: number };
  /** Datagrams of traced calls to ports that the recorder does not serve. */
  told: number;
};

export function noObservations(): Observations {
  const list = <T>(): Listed<T> => ({ items: new Map(), beyond: 0 });
  return {
    ...{ programs: list(), reads: list(), lookedFor: list(), writes: list(), addresses: list(), refused: list() },
    ...{ leftRunning: list(), canariesRead: list(), wroteOutside: list(), metadata: list(), controls: list() },
    ...{
      payloads: [],
      touched: new Set(),
      opened: new Set(),
      unnamed: 0,
      told: 0,
      lost: { payloads: 0, paths: 0, events: 0 },
    },
  };
}
