import { rateLimitGuardOf } from "../github/rate-limit";
import type { ReaderOptions } from "../sync/create-reader";
import type { ReaderPlace } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import type { ReaderInput } from "./messages";

/** What the thread needs to open the same reader. */
export function readerInput(place: ReaderPlace, options: ReaderOptions): ReaderInput {
  const { hosts, token, timeoutMs, retryDelayMs, credential, scratch, now } = options;
  const clockOffsetMs = now === undefined ? 0 : now().getTime() - Date.now();
  return { place, options: { hosts, token, timeoutMs, retryDelayMs, credential, scratch }, clockOffsetMs };
}

/** Lets the process wait for a rate limit that a thread ran into: each thread has a guard of its own. */
export function holdBack(error: unknown, { hosts, rateLimitGuard }: ReaderOptions): void {
  if (!(error instanceof SyncFailure) || error.code !== "rate_limited" || error.retryAt === null) return;
  (rateLimitGuard ?? rateLimitGuardOf(hosts.apiUrl)).limitUntil(error.retryAt);
}
