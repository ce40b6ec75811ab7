import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { countRunsAtOnce, DAY_MS, HOUR_MS, nthNewestRun } from "./count-usage";
import { quotasOf } from "./quotas-of";

const AGAIN_SECONDS = 5;

/**
 * Throws `rate_limited` with the quota as its rule when one more run of this person would be too many. To be asked in the
 * transaction that stores the run: runs that are asked for at once cannot slip past together.
 */
export async function assertRunQuota(ctx: Ctx, userId: string): Promise<void> {
  const { runsPerHour, runsPerDay, runsAtOnce } = await quotasOf(ctx, userId);
  await assertWindow(ctx, userId, { limit: runsPerHour, windowMs: HOUR_MS, rule: "runsPerHour", words: "an hour" });
  await assertWindow(ctx, userId, { limit: runsPerDay, windowMs: DAY_MS, rule: "runsPerDay", words: "24 hours" });
  if (runsAtOnce === 0 || (await countRunsAtOnce(ctx, userId)) < runsAtOnce) return;
  throw new AppError(
    "rate_limited",
    `${runsAtOnce} of your runs are queued or running, which is the limit. It frees when one of them ends.`,
    { rule: "runsAtOnce", retryAfterSeconds: AGAIN_SECONDS },
  );
}

type Window = { limit: number; windowMs: number; rule: string; words: string };

async function assertWindow(ctx: Ctx, userId: string, { limit, windowMs, rule, words }: Window): Promise<void> {
  if (limit === 0) return;
  const oldest = await nthNewestRun(ctx, userId, limit);
  const freesAt = oldest === null ? 0 : oldest.getTime() + windowMs;
  if (freesAt <= ctx.now().getTime()) return;
  throw new AppError(
    "rate_limited",
    `You may start ${limit} ${limit === 1 ? "run" : "runs"} within ${words}. The next one is possible at ${new Date(freesAt).toISOString()}.`,
    { rule, retryAfterSeconds: Math.max(1, (freesAt - ctx.now().getTime()) / 1000) },
  );
}
