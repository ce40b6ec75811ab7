import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import { cachedSettings } from "@/lib/settings/cached-settings";

/** Counts a request for a run against what its person, and an agent's token, may ask for in a minute; else `rate_limited`. */
export async function limitRuns(ctx: Ctx, actor: PersonActor): Promise<void> {
  const { runsPerMinute, agentRunsPerMinute } = await cachedSettings(ctx);
  await take("runs-person", actor.userId, runsPerMinute, actor.name);
  if (isAgent(actor)) {
    await take("runs-token", actor.tokenId, agentRunsPerMinute, `The token “${actor.tokenName}”`);
  }
}

async function take(name: string, key: string, limit: number, who: string): Promise<void> {
  const taken = await takeFromLimit(name, key, limit);
  if (taken.allowed) return;
  const { resetSeconds } = taken;
  throw new AppError("rate_limited", `${who} may ask for ${limit} runs in a minute. Try again in ${resetSeconds} s.`, {
    retryAfterSeconds: resetSeconds,
    headers: limitFields(taken),
  });
}
