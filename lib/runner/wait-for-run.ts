import { listen } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { getRun } from "./get-run";
import { FINAL_STATES, type Run } from "./schema";

/** The run once it has ended, or as it is when the seconds are over or the caller hangs up. */
export async function waitForRun(ctx: Ctx, id: string, seconds: number, signal?: AbortSignal): Promise<Run> {
  const deadline = performance.now() + seconds * 1000;
  const waiter = listen(`run:${id}`, signal);
  try {
    for (;;) {
      const run = await getRun(ctx, id);
      const left = deadline - performance.now();
      if (FINAL_STATES.includes(run.state) || left <= 0 || signal?.aborted) return run;
      await waiter.next(left);
    }
  } finally {
    waiter.stop();
  }
}
