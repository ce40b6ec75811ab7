import type { RunErrorCode } from "@/lib/worker/protocol";

/** A run that cannot go on, found before its entry was started. The message is shown to the person who looks at the run. */
export class RunFailure extends Error {
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "RunFailure";
    this.code = code;
  }
}
