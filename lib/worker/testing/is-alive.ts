import { readProcessStat } from "../processes/read-process";

/** Whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  const state = readProcessStat(pid)?.state;
  return state !== undefined && state !== "Z" && state !== "X";
}
