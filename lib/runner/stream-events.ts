import { listen } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { requireRun } from "./run-access";
import { FINAL_STATES, type RunEvent, RunState } from "./schema";

const BATCH = 500;
const HEARTBEAT_MS = 15_000;

export type StreamItem = { kind: "event"; event: RunEvent } | { kind: "heartbeat" } | { kind: "end"; state: RunState };

/** What a run says, from after a number on, as it says it; ends when the run has ended and all was said. */
export async function* streamEvents(
  ctx: Ctx,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem> {
  await requireRun(ctx, id);
  const waiter = listen(`run:${id}`, signal);
  try {
    let last = after;
    while (!signal.aborted) {
      const state = RunState.parse((await requireRun(ctx, id)).state);
      const rows = await ctx.db.runEvent.findMany({
        where: { runId: id, seq: { gt: last } },
        orderBy: { seq: "asc" },
        take: BATCH,
      });
      for (const { seq, at, stream, text } of rows) {
        const event: RunEvent = { seq, at: at.toISOString(), stream: stream === "system" ? "system" : "stderr", text };
        yield { kind: "event", event };
        last = seq;
      }
      if (rows.length === BATCH) continue;
      if (FINAL_STATES.includes(state)) {
        yield { kind: "end", state };
        return;
      }
      await waiter.next(HEARTBEAT_MS);
      yield { kind: "heartbeat" };
    }
  } finally {
    waiter.stop();
  }
}
