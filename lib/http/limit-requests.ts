import { isAgent, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import { cachedSettings } from "@/lib/settings/settings";

/**
 * Counts a request against the limits of its person and, for an agent, its token. Throws `rate_limited`. Adds the
 * stricter limit to `headers`.
 */
export async function limitRequests(ctx: Ctx, headers: Headers): Promise<void> {
  const { actor } = ctx;
  if (!isPerson(actor)) return;
  const { requestsPerMinute, agentRequestsPerMinute } = await cachedSettings(ctx);
  let strictest = await takeFromLimit("requests-person", actor.userId, requestsPerMinute);
  if (isAgent(actor)) {
    const ofToken = await takeFromLimit("requests-token", actor.tokenId, agentRequestsPerMinute);
    if (!ofToken.allowed || ofToken.remaining < strictest.remaining) strictest = ofToken;
  }
  for (const [name, value] of Object.entries(limitFields(strictest))) headers.set(name, value);
  if (strictest.allowed) return;
  throw new AppError(
    "rate_limited",
    `More than ${strictest.limit} requests in a minute. Try again in ${strictest.resetSeconds} s.`,
    { retryAfterSeconds: strictest.resetSeconds },
  );
}
