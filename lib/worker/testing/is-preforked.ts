import { readProcessStat, readText } from "../processes/read-process";

/** Whether a process is a preforked launcher of this worker; the processes that it started are its children. */
export function isPreforked(pid: number, worker: number): boolean {
  return readProcessStat(pid)?.parent === worker && readText(`/proc/${pid}/cmdline`) === "/bin/sh\0-s\0";
}
