import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "./errors";
import { processStore } from "./process-store";

const WINDOW_SECONDS = 60;

export type Taken = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

/** Limits per minute that no setting changes: what is counted, and per whom. */
export const FIXED_LIMITS = {
  distribution: {
    perMinute: 3_000,
    of: "reads of indexes, archives and git repositories",
    by: "viewer: a person, a capability URL or an address",
  },
  oauthTokens: { perMinute: 60, of: "tokens that programs exchange (OAuth)", by: "address" },
  oauthClients: { perMinute: 20, of: "registrations of programs (OAuth)", by: "address" },
  deviceCodes: { perMinute: 20, of: "device sign-ins that are started", by: "address" },
  deviceTokens: { perMinute: 120, of: "polls of a device that waits for its sign-in", by: "address" },
  deviceTries: { perMinute: 20, of: "device codes that are entered", by: "person" },
  providerSignIns: { perMinute: 120, of: "provider sign-ins that are started or completed", by: "address" },
} as const satisfies Record<string, { perMinute: number; of: string; by: string }>;

/**
 * Counts one use of `key` in a fixed window of a minute, in this process. A changed limit applies from the next use.
 */
export async function takeFromLimit(name: string, key: string, limit: number): Promise<Taken> {
  const limiters = processStore("limiters", () => new Map<string, RateLimiterMemory>());
  const limiter =
    limiters.get(name) ?? new RateLimiterMemory({ keyPrefix: name, points: limit, duration: WINDOW_SECONDS });
  limiters.set(name, limiter);
  limiter.points = limit;
  try {
    return taken(true, limit, await limiter.consume(key));
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return taken(false, limit, refusal);
    throw refusal;
  }
}

/** Like `takeFromLimit`, but throws `rate_limited` with its headers once nothing is left. */
export async function requireFromLimit(
  name: string,
  key: string,
  { limit, message }: { limit: number; message: string | ((resetSeconds: number) => string) },
): Promise<void> {
  const left = await takeFromLimit(name, key, limit);
  if (left.allowed) return;
  const { resetSeconds } = left;
  throw new AppError("rate_limited", typeof message === "string" ? message : message(resetSeconds), {
    retryAfterSeconds: resetSeconds,
    headers: limitFields(left),
  });
}

/** Headers of draft-ietf-httpapi-ratelimit-headers, in the older form of one header per value. */
export function limitFields({ limit, remaining, resetSeconds }: Taken): Record<string, string> {
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  };
}

function taken(allowed: boolean, limit: number, state: RateLimiterRes): Taken {
  // The clock may have been set back, so the computed rest is clamped.
  const resetSeconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
  return { allowed, limit, remaining: Math.max(0, state.remainingPoints), resetSeconds };
}
