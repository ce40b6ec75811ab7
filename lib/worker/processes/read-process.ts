import { closeSync, openSync, readlinkSync, readSync } from "node:fs";
import { constants } from "node:os";

export type ProcessStat = {
  pid: number;
  state: string;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since boot. */
  startTicks: number;
};

/** The fields of /proc/PID/stat; null when the process has ended, or on a host without /proc. */
export function readProcessStat(pid: number): ProcessStat | null {
  const text = readRecords(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The command name may contain spaces and parentheses; the last parenthesis ends it.
  const [state, parent, group, session, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    state: state ?? "",
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(rest[15]),
  };
}

export function readUid(pid: number): number | null {
  return readFromStatus(pid, /^Uid:\t(\d+)/m);
}

/** Whether an id is a thread other than its process's first: /proc shows those, but does not list them. */
export function isThread(id: number): boolean {
  const first = readFromStatus(id, /^Tgid:\t(\d+)/m);
  return first !== null && first !== id;
}

/** A number from /proc/PID/status, by an expression with one group; null when the process or the line does not exist. */
export function readFromStatus(pid: number, line: RegExp): number | null {
  const text = line.exec(readRecords(`/proc/${pid}/status`) ?? "")?.[1];
  return text === undefined ? null : Number(text);
}

/** Whether a process has this directory, or one below it, as cwd or in its start environment. */
export function isProcessInside(pid: number, directory: string): boolean {
  const cwd = readLink(`/proc/${pid}/cwd`);
  if (cwd === directory || cwd?.startsWith(`${directory}/`)) return true;
  // As latin1, as readText returns it.
  const path = Buffer.from(`${directory}/`).toString("latin1");
  return readText(`/proc/${pid}/environ`)?.includes(path) ?? false;
}

// Files of /proc have no size, and readFileSync would allocate 64 KiB for each of hundreds.
const buffer = Buffer.alloc(64 * 1024);

const HALF_PAGE = 2048;

/** A file of /proc as latin1; null when it cannot be read. A read of less than `atLeast` bytes is the last. */
export function readText(path: string, atLeast = 1): string | null {
  try {
    const file = openSync(path, "r");
    try {
      let text = "";
      let length = fill(file);
      for (; length >= atLeast; length = fill(file)) text += buffer.toString("latin1", 0, length);
      return text + buffer.toString("latin1", 0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    // Ended meanwhile, or of another user: in both cases not one of our runs.
    return null;
  }
}

/** For files that the kernel writes in whole pages (stat, status, children): a read below half a page is the last one. */
export function readRecords(path: string): string | null {
  return readText(path, HALF_PAGE);
}

function fill(file: number): number {
  return readSync(file, buffer, 0, buffer.length, null);
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** The signal that an exit code of a shell or bubblewrap stands for (128 plus its number); null for other codes. */
export function signalOfCode(code: number | null): NodeJS.Signals | null {
  if (code === null || code <= 128) return null;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found ? (found[0] as NodeJS.Signals) : null;
}
