import type { SyncErrorCode } from "./sources/schema";

/**
 * Why GitHub, or what it sent, could not be used. The message is one sentence for admins and names the real cause. `retryAt`
 * is the earliest time at which asking again can help, when GitHub said so.
 */
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
