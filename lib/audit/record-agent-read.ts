import { isAgent } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction } from "@/lib/db/in-transaction";
import { countHeld } from "./count-held";
import { recordEvent } from "./record-event";

const WINDOW_MS = 60_000;

/**
 * Adds an event for what an agent has read, before it gets the answer: without the event there is none. One that asks for
 * the same address again and again, as for a run it waits for, is counted: the first at once, those that follow within a
 * minute with the next. What others read is not recorded.
 */
export async function recordAgentRead(ctx: Ctx, { path, query }: { path: string; query: string }): Promise<void> {
  const { actor } = ctx;
  if (!isAgent(actor)) return;
  const count = countHeld(`read by ${actor.tokenId} ${path}${query}`, ctx.now(), WINDOW_MS);
  if (count === 0) return;
  const asked = Object.fromEntries(new URLSearchParams(query));
  await inQuickTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "agent.read",
      count,
      summary: `read ${path}`,
      ...RUN.exec(path)?.groups,
      ...(query === "" ? {} : { arguments: asked }),
      data: { path, persona: actor.personaId },
    }),
  );
}

const RUN = /^\/api\/runs\/(?<runId>[0-9A-Za-z-]{10,})(\/|$)/;
