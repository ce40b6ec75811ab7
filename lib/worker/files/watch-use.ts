import { listChildren } from "@/lib/worker/launch/find-tree";
import { readFromStatus, readRecords } from "@/lib/worker/launch/read-process";

/** What a run has used: processor time of all its processes, and the most memory they had. Null where nobody could say. */
export type Use = { cpuMs: number | null; peakMemoryBytes: number | null };

const EVERY_MS = 500;
const TICK_MS = 10;

export type UseWatch = { look(): void; end(): Use };

/**
 * Looks at a run's processes now and then, and whenever it is told to; what it used after the last look is not known.
 * `ownProcesses` are the sandbox's, outermost first; what those use is not the run's.
 */
export function watchUse(leader: number, ownProcesses: number): UseWatch {
  let cpuMs = 0;
  let peakMemoryBytes = 0;

  function look(): void {
    const seen = { cpuMs: 0, peakMemoryBytes: 0 };
    lookAt(leader, ownProcesses, seen);
    cpuMs = Math.max(cpuMs, seen.cpuMs);
    peakMemoryBytes = Math.max(peakMemoryBytes, seen.peakMemoryBytes);
  }

  const timer = setInterval(look, EVERY_MS);
  return {
    look,
    end() {
      clearInterval(timer);
      return { cpuMs: cpuMs || null, peakMemoryBytes: peakMemoryBytes || null };
    },
  };
}

/** Adds up a process and what it started; the outer `ownProcesses` levels are the sandbox's. */
function lookAt(pid: number, ownProcesses: number, seen: { cpuMs: number; peakMemoryBytes: number }): void {
  if (ownProcesses <= 0) {
    seen.cpuMs += readCpuMs(pid);
    seen.peakMemoryBytes += readPeakBytes(pid);
  }
  for (const child of listChildren(pid)) lookAt(child, ownProcesses - 1, seen);
}

/** Its own time, finer for its first thread, and that of children it has seen end. */
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
