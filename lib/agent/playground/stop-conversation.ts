import { recordEvent } from "@/lib/audit/record-event";
import { processStore } from "@/lib/core/process-store";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { getSettings } from "@/lib/settings/settings";
import { requireConversation } from "./conversations";

/** Stops the answer in progress and its runs. An answer whose process ended is marked as failed. */
export async function stopConversation(ctx: Ctx, id: string): Promise<{ stopped: boolean }> {
  await requireConversation(ctx, id);
  const running = runningAnswers().get(id);
  if (running) {
    running.stop.abort();
    return { stopped: true };
  }
  // Another process may be answering.
  wake(`stop:${id}`);
  return inTransaction(ctx, async (tx) => {
    const { count } = await tx.conversationTurn.updateMany({
      where: { conversationId: id, state: "running" },
      data: { state: "failed", endReason: "error", finishedAt: ctx.now() },
    });
    return { stopped: count > 0 };
  });
}

const DAY_MS = 86_400_000;
const BATCH = 200;

/** Stops and deletes a conversation. Its session's trace and its runs stay. */
export async function deleteConversation(ctx: Ctx, id: string): Promise<void> {
  const row = await requireConversation(ctx, id);
  await stopConversation(ctx, id);
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.conversation.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "playground.delete",
      summary: "deleted a conversation of the playground",
      target: { kind: "conversation", id, name: row.title },
      sessionId: row.sessionId,
    });
  });
}

/** Deletes a batch of conversations without messages for `playgroundDays`; returns how many. */
export async function trimConversations(ctx: Ctx): Promise<number> {
  const { playgroundDays } = await getSettings(ctx);
  const before = new Date(ctx.now().getTime() - playgroundDays * DAY_MS);
  const old = await ctx.db.conversation.findMany({
    where: { updatedAt: { lt: before } },
    select: { id: true },
    take: BATCH,
  });
  if (old.length === 0) return 0;
  return inTransaction(ctx, async (tx, txCtx) => {
    const { count } = await tx.conversation.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
    const summary = `deleted ${count} conversations without messages for ${playgroundDays} days`;
    await recordEvent(tx, txCtx, { action: "playground.trim", summary, data: { ids: old.map(({ id }) => id) } });
    return count;
  });
}

type RunningAnswer = { userId: string; stop: AbortController };

export function runningAnswers(): Map<string, RunningAnswer> {
  return processStore("playground-answers", () => new Map<string, RunningAnswer>());
}
