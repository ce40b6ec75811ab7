import { join } from "node:path";

export type Faults = {
  /** Shifts the clock by the milliseconds in this file; `SIGUSR2` makes the server read it again. */
  clockFile?: string;
  /** Shifts the monotonic clock too, so that a jump looks like passed time. */
  isClockHidden?: boolean;
  hashesFile?: string;
  /** Compares no password for a missing account. */
  isForgetful?: boolean;
  /** Acknowledges changes this long before they are made. */
  acknowledgeEarlyMs?: number;
  ignoreIfMatch?: boolean;
  /** Injects a defect into one of `every` requests. */
  defect?: { kind: "crash" | "500" | "hang" | "file"; every: number; file?: string };
};

export function environmentOf(faults: Faults): Record<string, string> {
  if (Object.keys(faults).length === 0) return {};
  const preload = join(import.meta.dirname, "fault-preload.cjs");
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --require=${preload}`.trim(),
    BENCH_FAULTS: JSON.stringify(faults),
  };
}
