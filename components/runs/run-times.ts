import type { Run } from "@/lib/client/runs";

export type RunTimes = { waitedMs: number; ranMs: number | null };

/** How long a run waited and worked so far, at a moment. */
export function timesOf(run: Pick<Run, "queuedAt" | "startedAt" | "finishedAt" | "durationMs">, now: number): RunTimes {
  const queued = Date.parse(run.queuedAt);
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const finished = run.finishedAt === null ? null : Date.parse(run.finishedAt);
  // Worker and server have clocks of their own; a wait is never negative.
  const waitedMs = Math.max(0, (started ?? finished ?? now) - queued);
  if (started === null) return { waitedMs, ranMs: null };
  return { waitedMs, ranMs: run.durationMs ?? Math.max(0, (finished ?? now) - started) };
}

/** How a run ended, in one sentence; null where the result says it. */
export function explainRun(run: Run): string | null {
  return run.error?.message ?? null;
}
