import type { Run } from "@/lib/client/runs";

type TimedRun = Pick<Run, "queuedAt" | "startedAt" | "finishedAt" | "durationMs"> & Partial<Pick<Run, "sandboxMs">>;

export type RunTimes = {
  /** In the queue, in milliseconds. */
  waitedMs: number;
  /** Until the sandbox was built and the entry had its input; null while that is not known. */
  sandboxMs: number | null;
  /** The entry itself; null before the run began. */
  ranMs: number | null;
};

/** How long a run waited, prepared and worked so far, at a moment. */
export function timesOf(run: TimedRun, now: number): RunTimes {
  const queued = Date.parse(run.queuedAt);
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const finished = run.finishedAt === null ? null : Date.parse(run.finishedAt);
  // Worker and server have clocks of their own; a wait is never negative.
  const waitedMs = Math.max(0, (started ?? finished ?? now) - queued);
  if (started === null) return { waitedMs, sandboxMs: null, ranMs: null };
  const wholeMs = run.durationMs ?? Math.max(0, (finished ?? now) - started);
  const sandboxMs = run.sandboxMs ?? null;
  if (sandboxMs === null) return { waitedMs, sandboxMs, ranMs: wholeMs };
  // It begins when a worker takes the run and ends in the run's own time. Where it is most of that, files were fetched
  // first, which the wait has counted.
  const isBefore = sandboxMs > wholeMs / 2;
  return isBefore
    ? { waitedMs: Math.max(0, waitedMs - sandboxMs), sandboxMs, ranMs: wholeMs }
    : { waitedMs, sandboxMs, ranMs: wholeMs - sandboxMs };
}
