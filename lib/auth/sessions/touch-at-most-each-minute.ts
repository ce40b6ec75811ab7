import { logger } from "@/lib/core/logger";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

const MINUTE_MS = 60_000;

/**
 * Notes that something was used, unless that was noted less than a minute ago. `write` gets the moment to store and the
 * one before which a stored value is stale. A note that cannot be written is no reason to refuse the request.
 */
export async function touchAtMostEachMinute(
  ctx: Ctx,
  last: Date | null,
  write: (tx: Tx, times: { at: Date; before: Date }) => Promise<unknown>,
): Promise<void> {
  const at = ctx.now();
  const before = new Date(at.getTime() - MINUTE_MS);
  if (last !== null && last >= before) return;
  try {
    await inTransaction(ctx, (tx) => write(tx, { at, before }));
  } catch (err) {
    logger.warn({ err }, "a last use could not be noted");
  }
}
