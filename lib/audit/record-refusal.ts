import { isPerson } from "@/lib/core/actor";
import type { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { countHeld } from "./count-held";
import { recordEvent } from "./record-event";
import { type RefusedRun, recordRefusedRun } from "./record-run-event";

const WINDOW_MS = 10 * 60_000;
const LIMITED_WINDOW_MS = 60_000;

/**
 * Adds an event for a request that was refused, in a transaction of its own. Refusals of callers who are not signed in
 * are counted: the first of a kind is written at once, those that follow within ten minutes become one event with a count.
 * So are requests over a limit, whatever they ask for, within a minute for each person or token: who sends ten thousand does
 * not fill the disk. `describeRun` reads which run was refused, when the request asked for one.
 */
export async function recordRefusal(ctx: Ctx, refusal: Refusal): Promise<void> {
  const { method, path, error, describeRun } = refusal;
  const count = countRefusal(ctx, refusal);
  if (count === 0) return;
  const run = (await describeRun?.()) ?? null;
  const entry = {
    action: "request.refuse",
    outcome: "refused",
    count,
    summary: `was refused: ${method} ${path} (${error.code})`,
    decision: "refuse",
    rule: error.rule ?? null,
    error: { code: error.code, message: error.message },
    data: { method, path, code: error.code, rule: error.rule, detail: error.message },
  } as const;
  await inTransaction(ctx, (tx) =>
    run === null ? recordEvent(tx, ctx, entry) : recordRefusedRun(tx, ctx, run, entry),
  );
}

type Refusal = { method: string; path: string; error: AppError; describeRun?: () => Promise<RefusedRun | null> };

function countRefusal(ctx: Ctx, { method, path, error }: Refusal): number {
  const { actor } = ctx;
  if (actor.kind === "anonymous") return countHeld(`${error.code} ${method} ${path}`, ctx.now(), WINDOW_MS);
  if (error.code !== "rate_limited" || !isPerson(actor)) return 1;
  const who = actor.kind === "token" ? actor.tokenId : actor.userId;
  return countHeld(`${error.code} of ${who}`, ctx.now(), LIMITED_WINDOW_MS);
}
