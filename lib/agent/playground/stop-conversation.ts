import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { requireConversation } from "./get-conversation";

/** The answers that are being given now, by conversation. */
export function runningAnswers(): Map<string, AbortController> {
  return processStore("playground-answers", () => new Map<string, AbortController>());
}

/** Stops the answer that is being given, and the runs it waits for. Nothing happens when there is none. */
export async function stopConversation(ctx: Ctx, id: string): Promise<{ stopped: boolean }> {
  await requireConversation(ctx, id);
  const running = runningAnswers().get(id);
  running?.abort();
  return { stopped: running !== undefined };
}
