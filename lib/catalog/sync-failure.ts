import type { SyncErrorCode } from "./sources/schema";

/** An error of GitHub or its network. Admins read the message. `retryAt`: the earliest useful retry, when GitHub names one. */
export class SyncFailure extends Error {
  readonly code: SyncErrorCode;
  readonly retryAt: Date | null;

  constructor(code: SyncErrorCode, message: string, options: { retryAt?: Date | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "SyncFailure";
    this.code = code;
    this.retryAt = options.retryAt ?? null;
  }
}
