import type { RunErrorCode } from "../protocol";

/** A run that cannot go on, found before its entry was started. The message is shown to the person who looks at the run. */
export class RunFailure extends Error {
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "RunFailure";
    this.code = code;
  }
}

/** Why a run is ended before its own end. It travels as the reason of an AbortSignal, where the first one wins. */
export type StopReason = {
  code: Extract<RunErrorCode, "timed_out" | "cancelled" | "output_limit" | "worker_stopped">;
  message: string;
  /** Time between SIGTERM and SIGKILL; 0 kills at once. */
  graceMs: number;
};

/** The reason a run's signal was aborted with, or null while it was not. Only StopReasons are ever given to `abort`. */
export function readStopReason(signal: AbortSignal): StopReason | null {
  return signal.aborted ? (signal.reason as StopReason) : null;
}
