import { listChildren } from "./process-tree";
import { readFromStatus, readRecords, readText } from "./read-process";

/** Processor time of all processes of a run, and their peak memory. Null where it is unknown. */
export type Use = { cpuMs: number | null; peakMemoryBytes: number | null };

const EVERY_MS = 500;
const TICK_MS = 10;

/** Samples usage every 500 ms, and at each `read`. `ownProcesses` outer processes belong to the sandbox and do not count. */
export function watchUse(leader: number, ownProcesses: number) {
  let cpuMs = 0;
  let peakMemoryBytes = 0;

  function read(): void {
    const seen = { cpuMs: 0, peakMemoryBytes: 0 };
    addUseOf(leader, ownProcesses, seen);
    cpuMs = Math.max(cpuMs, seen.cpuMs);
    peakMemoryBytes = Math.max(peakMemoryBytes, seen.peakMemoryBytes);
  }

  const timer = setInterval(read, EVERY_MS);
  return {
    read,
    end() {
      clearInterval(timer);
      return { cpuMs: cpuMs || null, peakMemoryBytes: peakMemoryBytes || null };
    },
  };
}

/** Adds up a process and its descendants; the outer `ownProcesses` levels belong to the sandbox. */
function addUseOf(pid: number, ownProcesses: number, seen: { cpuMs: number; peakMemoryBytes: number }): void {
  if (ownProcesses <= 0) {
    seen.cpuMs += readCpuMs(pid);
    seen.peakMemoryBytes += readPeakBytes(pid);
  }
  for (const child of listChildren(pid)) addUseOf(child, ownProcesses - 1, seen);
}

/** Its own processor time, more exact for its first thread, and that of its ended children. */
function readCpuMs(pid: number): number {
  const stat = readRecords(`/proc/${pid}/stat`);
  if (stat === null) return 0;
  const [user, system, childUser, childSystem] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ", 15)
    .slice(11)
    .map((ticks) => Number(ticks) * TICK_MS) as [number, number, number, number];
  const firstThreadMs = Number(readRecords(`/proc/${pid}/schedstat`)?.split(" ", 1)[0] ?? 0) / 1e6;
  return Math.max(user + system, firstThreadMs) + childUser + childSystem;
}

function readPeakBytes(pid: number): number {
  return (readFromStatus(pid, /^VmHWM:\s*(\d+) kB$/m) ?? 0) * 1024;
}

/** Memory of a process and its descendants, in bytes, with its share of shared pages if known. 0 when it has ended. */
export function measureMemory(pid: number): number {
  return readBytes(pid) + listChildren(pid).reduce((sum, child) => sum + measureMemory(child), 0);
}

function readBytes(pid: number): number {
  const part = /^Pss:\s*(\d+) kB$/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? "")?.[1];
  const all = part ?? /^VmRSS:\s*(\d+) kB$/m.exec(readText(`/proc/${pid}/status`) ?? "")?.[1];
  return Number(all ?? 0) * 1024;
}
