import { listChildren } from "../launch/find-tree";
import { readText } from "../launch/read-process";

/**
 * What a process and all below it hold of the memory, in bytes: of what it shares its part, or all of it where the kernel
 * does not say. 0 when it is gone.
 */
export function measureMemory(pid: number): number {
  return readBytes(pid) + listChildren(pid).reduce((sum, child) => sum + measureMemory(child), 0);
}

function readBytes(pid: number): number {
  const part = /^Pss:\s*(\d+) kB$/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? "")?.[1];
  const all = part ?? /^VmRSS:\s*(\d+) kB$/m.exec(readText(`/proc/${pid}/status`) ?? "")?.[1];
  return Number(all ?? 0) * 1024;
}
