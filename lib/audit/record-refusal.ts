import type { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { recordEvent } from "./record-event";

const WINDOW_MS = 10 * 60_000;
const MAX_KEYS = 1_000;

type Window = { since: number; held: number };

/**
 * Adds an event for a request that was refused, in a transaction of its own. Refusals of callers who are not signed in
 * are counted: the first of a kind is written at once, those that follow within ten minutes become one event with a count.
 */
export async function recordRefusal(
  ctx: Ctx,
  refusal: { method: string; path: string; error: AppError },
): Promise<void> {
  const { method, path, error } = refusal;
  const count = ctx.actor.kind === "anonymous" ? countAnonymous(`${error.code} ${method} ${path}`, ctx.now()) : 1;
  if (count === 0) return;
  await inTransaction(ctx, (tx) =>
    recordEvent(tx, ctx, {
      action: "request.refuse",
      outcome: "refused",
      count,
      summary: `was refused: ${method} ${path} (${error.code})`,
      data: { method, path, code: error.code, rule: error.rule, detail: error.message },
    }),
  );
}

/** How many refusals to write now: 1 for a first one, 0 while they are held back, all that were held when a window ends. */
function countAnonymous(key: string, now: Date): number {
  const windows = processStore("refusals", () => new Map<string, Window>());
  const open = windows.get(key);
  if (open && now.getTime() - open.since < WINDOW_MS) {
    open.held += 1;
    return 0;
  }
  if (!open && windows.size >= MAX_KEYS) windows.delete(windows.keys().next().value ?? key);
  windows.set(key, { since: now.getTime(), held: 0 });
  return 1 + (open?.held ?? 0);
}
