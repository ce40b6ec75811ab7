import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { PlaygroundEvent } from "./schema";

const EVERY_MS = 1_000;

/**
 * Keeps what has happened of an answer while it is being given, for whoever comes back to it: once a second at most, one
 * write after the other. Nothing is kept of one that has ended.
 */
export function storeProgress(ctx: Ctx, turnId: string): (events: readonly PlaygroundEvent[]) => void {
  let isWriting = false;
  let next = 0;
  return (events) => {
    if (isWriting || ctx.now().getTime() < next) return;
    isWriting = true;
    const data = { events: JSON.stringify(events) };
    inTransaction(ctx, (tx) => tx.conversationTurn.updateMany({ where: { id: turnId, state: "running" }, data }))
      .catch((error: unknown) => logger.warn({ err: error, turnId }, "the progress of an answer was not kept"))
      .finally(() => {
        isWriting = false;
        next = ctx.now().getTime() + EVERY_MS;
      });
  };
}
