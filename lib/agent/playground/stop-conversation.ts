import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireConversation } from "./get-conversation";
import { runningAnswers } from "./running-answers";

/**
 * Stops the answer that is being given, and the runs it waits for. One that no process gives any more, since it ended in the
 * middle of it, is over then too. Nothing happens when there is none.
 */
export async function stopConversation(ctx: Ctx, id: string): Promise<{ stopped: boolean }> {
  await requireConversation(ctx, id);
  const running = runningAnswers().get(id);
  if (running) {
    running.stop.abort();
    return { stopped: true };
  }
  // Another process may be giving it.
  wake(`stop:${id}`);
  return inTransaction(ctx, async (tx) => {
    const { count } = await tx.conversationTurn.updateMany({
      where: { conversationId: id, state: "running" },
      data: { state: "failed", endReason: "error", finishedAt: ctx.now() },
    });
    return { stopped: count > 0 };
  });
}
