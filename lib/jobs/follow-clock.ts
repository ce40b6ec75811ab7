import { recordEvent } from "@/lib/audit/record-event";
import { replanSyncs } from "@/lib/catalog/sync/replan-syncs";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { renewLeases } from "@/lib/runner/renew-leases";
import { replanSchedules } from "@/lib/runner/schedules/replan-schedules";

/** A lease lasts three times as long; corrections of a few seconds hurt nothing. */
const JUMP_MS = 5_000;

/** What one process remembers of its last look. */
type Memory = { looked: Looked | null };

/** When the clock was last looked at: what it said, and a clock that nobody sets (both in ms). */
export type Looked = { wall: number; steady: number };

/** Looks at the clock, and follows it when it was moved since the last look, or when this is the first. */
export async function lookAtClock(ctx: Ctx, memory: Memory): Promise<void> {
  const looked = { wall: ctx.now().getTime(), steady: performance.now() };
  const jump = clockJump(memory.looked, looked);
  if (memory.looked === null || jump !== 0) await followClock(ctx, jump);
  memory.looked = looked;
}

/**
 * How far the clock was moved since `last`, in ms, forwards or back; 0 when it went on by itself. A machine that was
 * suspended looks like one whose clock was moved forwards, and is to be treated alike.
 */
function clockJump(last: Looked | null, now: Looked): number {
  if (last === null) return 0;
  const jump = now.wall - last.wall - (now.steady - last.steady);
  return Math.abs(jump) < JUMP_MS ? 0 : jump;
}

/**
 * Puts right what was timed by a clock that has been moved since: whoever was at work is given a lease from now on instead
 * of being taken for lost, and what was planned for a time that is now far ahead is planned again. What somebody was
 * promised until a certain time, such as a session or a capability URL, ends at that time by the clock as it is.
 */
async function followClock(ctx: Ctx, jumpMs: number): Promise<void> {
  if (jumpMs !== 0) logger.warn({ jumpMs }, "the clock was moved");
  await inTransaction(ctx, async (tx, txCtx) => {
    await renewLeases(txCtx, jumpMs);
    await replanSchedules(txCtx);
    await replanSyncs(txCtx);
    if (jumpMs === 0) return;
    const seconds = Math.round(Math.abs(jumpMs) / 1000);
    await recordEvent(tx, txCtx, {
      action: "server.clock",
      summary: `noticed that the clock was moved ${jumpMs > 0 ? "forwards" : "back"} by ${seconds} s`,
      data: { jumpMs },
    });
  });
}
