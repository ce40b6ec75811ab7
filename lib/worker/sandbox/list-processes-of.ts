import { readdirSync } from "node:fs";
import { readProcessStat, readUid } from "../launch/read-process";

/** The living processes whose real user id is in the range. */
export function listProcessesOf({ first, count }: { first: number; count: number }): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .filter((pid) => {
      const uid = readUid(pid);
      return uid !== null && uid >= first && uid < first + count;
    })
    .filter((pid) => !["Z", "X", undefined].includes(readProcessStat(pid)?.state));
}
