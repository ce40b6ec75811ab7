import type { RunErrorCode } from "../protocol";

/** A run that failed before its entry was started. The message is shown on the run's page. */
export class RunFailure extends Error {
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "RunFailure";
    this.code = code;
  }
}

/** Why a run is ended early. It is the reason of an AbortSignal, where the first one wins. */
export type StopReason = {
  code: Extract<RunErrorCode, "timed_out" | "cancelled" | "output_limit" | "worker_stopped">;
  message: string;
  /** Time between SIGTERM and SIGKILL; 0 kills at once. */
  graceMs: number;
};

/** The reason that a run's signal was aborted with, or null. Only StopReasons are passed to `abort`. */
export function readStopReason(signal: AbortSignal): StopReason | null {
  return signal.aborted ? (signal.reason as StopReason) : null;
}
