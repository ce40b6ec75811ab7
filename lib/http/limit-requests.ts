import { isAgent, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import { cachedSettings } from "@/lib/settings/settings";

/**
 * Counts a request against what its person may send in a minute, and an agent's also against its token's own limit; else
 * `rate_limited`. Adds to `headers` how much is left of the narrower one.
 */
export async function limitRequests(ctx: Ctx, headers: Headers): Promise<void> {
  const { actor } = ctx;
  if (!isPerson(actor)) return;
  const { requestsPerMinute, agentRequestsPerMinute } = await cachedSettings(ctx);
  let narrowest = await takeFromLimit("requests-person", actor.userId, requestsPerMinute);
  if (isAgent(actor)) {
    const ofToken = await takeFromLimit("requests-token", actor.tokenId, agentRequestsPerMinute);
    if (!ofToken.allowed || ofToken.remaining < narrowest.remaining) narrowest = ofToken;
  }
  for (const [name, value] of Object.entries(limitFields(narrowest))) headers.set(name, value);
  if (narrowest.allowed) return;
  throw new AppError(
    "rate_limited",
    `More than ${narrowest.limit} requests in a minute. Try again in ${narrowest.resetSeconds} s.`,
    { retryAfterSeconds: narrowest.resetSeconds },
  );
}
