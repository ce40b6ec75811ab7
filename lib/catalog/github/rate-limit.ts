import { processStore } from "@/lib/core/process-store";
import { SyncFailure } from "../sync-failure";

export type RateLimit = { limit: number | null; left: number; resetAt: Date | null };

const MAX_WAIT_MS = 24 * 3_600_000;
/** GitHub counts per hour, so a later reset means that a clock is wrong. */
const MAX_WINDOW_MS = 3_660_000;
const MIN_WAIT_MS = 60_000;

/** Reads the remaining quota from `x-ratelimit-*`; null without these headers. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const left = readCount(headers.get("x-ratelimit-remaining"));
  if (left === null) return null;
  const reset = readCount(headers.get("x-ratelimit-reset"));
  const resetAt = reset === null || reset > 8.64e12 ? null : new Date(reset * 1000);
  return { limit: readCount(headers.get("x-ratelimit-limit")), left, resetAt };
}

/**
 * The earliest time of a retry: `Retry-After` (seconds or a date), else the reset of an exhausted quota, else null. At least
 * a second and at most a day from now.
 */
export function readRetryAt(headers: Headers, now: Date): Date | null {
  const after = headers.get("retry-after");
  const seconds = readCount(after);
  if (seconds !== null) return clamp(now.getTime() + seconds * 1000, now, MAX_WAIT_MS);
  const date = after === null ? Number.NaN : Date.parse(after);
  if (!Number.isNaN(date)) return clamp(date, now, MAX_WAIT_MS);
  const rate = readRateLimit(headers);
  if (rate?.left !== 0) return null;
  return rate.resetAt === null
    ? new Date(now.getTime() + MIN_WAIT_MS)
    : clamp(rate.resetAt.getTime() + 1000, now, MAX_WINDOW_MS);
}

function clamp(time: number, now: Date, max: number): Date {
  return new Date(Math.min(Math.max(time, now.getTime() + 1000), now.getTime() + max));
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}

/** The quota is used up until `until`. Without `hasToken` the message suggests one, which raises the quota. */
export function rateLimited(until: Date, { hasToken }: { hasToken: boolean }): SyncFailure {
  const advice = hasToken ? "Try again then." : "Try again then, or set a GitHub token to raise the limit.";
  return new SyncFailure("rate_limited", `GitHub’s rate limit is used up until ${until.toISOString()}. ${advice}`, {
    retryAt: until,
  });
}

const MINUTE_MS = 60_000;
/** Requests per minute while the quota is used up: enough to notice that GitHub raised it early. */
const MAX_PROBES = 2;

export type RateLimitGuard = {
  /** Throws `rate_limited` while the quota is used up and the probes of this minute are sent. */
  assertAllowed(now: Date): void;
  limitUntil(until: Date): void;
  clear(): void;
};

export function createRateLimitGuard(): RateLimitGuard {
  let limitedUntil: Date | null = null;
  let probes: number[] = [];
  return {
    assertAllowed: (now) => {
      if (limitedUntil === null || limitedUntil <= now) return;
      probes = probes.filter((at) => at > now.getTime() - MINUTE_MS);
      if (probes.length >= MAX_PROBES) {
        throw rateLimited(limitedUntil, { hasToken: true });
      }
      probes.push(now.getTime());
    },
    limitUntil: (until) => {
      limitedUntil = until;
    },
    clear: () => {
      limitedUntil = null;
    },
  };
}

/** The guard of one GitHub host. */
export function rateLimitGuardOf(apiUrl: string): RateLimitGuard {
  return processStore(`github-rate-limit.${apiUrl}`, createRateLimitGuard);
}
