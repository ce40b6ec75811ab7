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

/** How a run ended or stands, in one sentence. */
export function explainRun(run: Run): string | null {
  if (run.error) return run.error.message;
  switch (run.state) {
    case "awaiting_approval":
      return "It waits for a person to approve these arguments.";
    default:
      return null;
  }
}
