import { logger } from "@/lib/core/logger";
import { type WakeTopic, wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";

/**
 * Wakes once the transaction that is open is over: an empty one gets in line behind it and mostly shares its commit. Should
 * the process end before, those who wait look by themselves after a while.
 */
export function wakeAfterCommit(ctx: Pick<Ctx, "database">, topics: readonly WakeTopic[]): void {
  ctx.database.writes
    .enter(async () => undefined, { quick: true })
    .then(() => {
      for (const topic of topics) wake(topic);
    })
    .catch((err: unknown) => logger.debug({ err }, "nobody was woken after a transaction"));
}
