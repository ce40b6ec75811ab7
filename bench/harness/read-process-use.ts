import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const ticksPerSecond = existsSync("/proc/self/stat") ? Number(execFileSync("getconf", ["CLK_TCK"])) : null;

/** CPU time of a process without its children, in ms, in steps of 10 ms (proc(5), utime and stime); null without /proc. */
export function cpuMsOf(pid: number): number | null {
  if (ticksPerSecond === null) return null;
  // The program's name, in parentheses, may contain spaces; the fields after it count from the third.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Memory of a process in MiB, all resident or only anonymous memory; null without /proc. */
export function memoryMiBOf(pid: number, part: "VmRSS" | "RssAnon" = "VmRSS"): number | null {
  if (ticksPerSecond === null) return null;
  const kib = new RegExp(`^${part}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return kib === undefined ? null : Math.round(Number(kib) / 1024);
}
