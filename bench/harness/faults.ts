import { join } from "node:path";

/** What goes wrong in a server under test, on purpose (`fault-preload.cjs`). */
export type Faults = {
  /** The clock is off by as many milliseconds as this file says; `SIGUSR2` has it read again. */
  clockFile?: string;
  /** The clock that nobody sets is off by as much, so that a jump looks like time that went by. */
  isClockHidden?: boolean;
  /** Gets a byte for each password that is compared. */
  hashesFile?: string;
  /** Nothing is compared for a person who does not exist. */
  isForgetful?: boolean;
  /** Changes are acknowledged this long before they are made. */
  acknowledgeEarlyMs?: number;
  /** `If-Match` is not looked at. */
  ignoreIfMatch?: boolean;
  /** One request of so many goes wrong. */
  defect?: { kind: "crash" | "500" | "hang" | "file"; every: number; file?: string };
};

/** The environment that puts faults into a server. */
export function environmentOf(faults: Faults): Record<string, string> {
  if (Object.keys(faults).length === 0) return {};
  const preload = join(import.meta.dirname, "fault-preload.cjs");
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --require=${preload}`.trim(),
    BENCH_FAULTS: JSON.stringify(faults),
  };
}
