import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { processStore } from "./process-store";

const WINDOW_SECONDS = 60;

export type Taken = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

/**
 * Takes one from what `key` may use in a minute. Counted in this process; a window begins with the first use. Changing
 * the limit counts from the next use on.
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

/** The header fields of draft-ietf-httpapi-ratelimit-headers, in the form of one field each that clients know. */
export function limitFields({ limit, remaining, resetSeconds }: Taken): Record<string, string> {
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  };
}

function taken(allowed: boolean, limit: number, state: RateLimiterRes): Taken {
  // Windows end by a timer; what is left of one is worked out from a clock that may have been set back.
  const resetSeconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
  return { allowed, limit, remaining: Math.max(0, state.remainingPoints), resetSeconds };
}
