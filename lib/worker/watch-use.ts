import { listChildren } from "./find-tree";
import { readText } from "./read-process";

/** What a run has used: processor time of all its processes, and the most memory they had. Null where nobody could say. */
export type Use = { cpuMs: number | null; peakMemoryBytes: number | null };

const EVERY_MS = 500;
const TICK_MS = 10;

export type UseWatch = { look(): void; end(): Use };

/**
 * Looks at a run's processes now and then, and whenever it is told to; what it used after the last look is not known.
 * `ownProcesses` are the sandbox's, outermost first, whose memory is not the run's. Their time is.
 */
export function watchUse(leader: number, ownProcesses: number): UseWatch {
  let cpuMs = 0;
  let peakMemoryBytes = 0;

  function look(): void {
    const tree = listTree(leader);
    const cpu = tree.reduce((sum, { pid }) => sum + readCpuMs(pid), 0);
    const peak = tree.reduce((sum, { pid, depth }) => sum + (depth < ownProcesses ? 0 : readPeakBytes(pid)), 0);
    cpuMs = Math.max(cpuMs, cpu);
    peakMemoryBytes = Math.max(peakMemoryBytes, peak);
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

function listTree(pid: number, depth = 0): { pid: number; depth: number }[] {
  return [{ pid, depth }, ...listChildren(pid).flatMap((child) => listTree(child, depth + 1))];
}

/** Its own time, finer for its first thread, and that of children it has seen end. */
function readCpuMs(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return 0;
  const [user, system, childUser, childSystem] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ", 15)
    .slice(11)
    .map((ticks) => Number(ticks) * TICK_MS) as [number, number, number, number];
  const firstThreadMs = Number(readText(`/proc/${pid}/schedstat`)?.split(" ", 1)[0] ?? 0) / 1e6;
  return Math.max(user + system, firstThreadMs) + childUser + childSystem;
}

function readPeakBytes(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readText(`/proc/${pid}/status`) ?? "")?.[1] ?? 0) * 1024;
}
