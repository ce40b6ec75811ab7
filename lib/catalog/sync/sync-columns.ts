import type { Usage } from "../github/create-client";

/** The columns of a source that say what its sync cost. */
export function usageColumns({ requests, rawReads, rate }: Usage) {
  return {
    requests,
    rawReads,
    ...(rate && { rateLimit: rate.limit, rateLimitLeft: rate.left, rateLimitResetAt: rate.resetAt }),
  };
}

/** When a source is due again after a good sync; null while it is off. */
export function nextSyncAt(source: { enabled: boolean; intervalMinutes: number }, from: Date): Date | null {
  return source.enabled ? new Date(from.getTime() + source.intervalMinutes * 60_000) : null;
}

const FIRST_WAIT_MS = 60_000;
export const LONGEST_WAIT_MS = 6 * 3_600_000;

/** When to try again after so many failures in a row: after a minute, then twice as long each time, up to six hours. */
export function retryAfterFailures(failures: number, from: Date): Date {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT_MS);
  return new Date(from.getTime() + wait);
}
