import { AppError } from "@/lib/core/errors";
import { FIXED_LIMITS } from "@/lib/core/fixed-limits";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { DoorViewer } from "./viewer-of";

/** Reads of one viewer in a minute. Clients fetch all of an index at once. */
const READS_PER_MINUTE = FIXED_LIMITS.doors.perMinute;

/**
 * Counts a read against what one viewer may read in a minute, and answers the header fields that say how much is left; else
 * `rate_limited`, with the same fields and the seconds to wait.
 */
export async function limitDoor({ key }: DoorViewer): Promise<Record<string, string>> {
  const taken = await takeFromLimit("doors", key, READS_PER_MINUTE);
  const headers = limitFields(taken);
  if (!taken.allowed) {
    const message = `More than ${taken.limit} requests in a minute. Try again in ${taken.resetSeconds} s.`;
    throw new AppError("rate_limited", message, { retryAfterSeconds: taken.resetSeconds, headers });
  }
  return headers;
}
