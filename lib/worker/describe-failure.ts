import { limitMessage } from "./limit-message";
import type { Outcome } from "./protocol";
import { RunFailure } from "./run-failure";
import type { StopReason } from "./stop-reason";

/** The record of a run whose entry was never started, because it was stopped before or could not be prepared. */
export function describeFailure(failure: unknown, startedAt: Date, stopReason: StopReason | null): Outcome {
  const finishedAt = new Date();
  return {
    error: stopReason ? { code: stopReason.code, message: limitMessage(stopReason.message) } : explain(failure),
    exitCode: null,
    signal: null,
    timedOut: false,
    truncated: false,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: Math.max(0, finishedAt.getTime() - startedAt.getTime()),
    rawOutput: null,
  };
}

function explain(failure: unknown): NonNullable<Outcome["error"]> {
  if (failure instanceof RunFailure) return { code: failure.code, message: limitMessage(failure.message) };
  const cause = failure instanceof Error ? failure.message : String(failure);
  return { code: "spawn_failed", message: limitMessage(`The worker could not prepare the run: ${cause}`) };
}
