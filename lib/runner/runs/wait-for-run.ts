import { listen } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { FINAL_STATES, type Run, type RunState } from "@/lib/runner/schema";
import { getRun } from "./get-run";

const STATE = query<{ state: RunState }>(`SELECT "state" FROM "Run" WHERE "id" = ?`);

/** The run once it has ended, or as it is when the seconds are over or the caller hangs up. */
export async function waitForRun(ctx: Ctx, id: string, seconds: number, signal?: AbortSignal): Promise<Run> {
  const deadline = performance.now() + seconds * 1000;
  const waiter = listen(`run:${id}`, signal, "begun");
  try {
    for (;;) {
      const row = await sqlOf(ctx).get(STATE, id);
      const left = deadline - performance.now();
      const isOver = row === undefined || FINAL_STATES.includes(row.state);
      if (isOver || left <= 0 || signal?.aborted) return await getRun(ctx, id);
      await waiter.next(left);
    }
  } finally {
    waiter.stop();
  }
}
