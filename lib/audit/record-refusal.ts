import { LRUCache } from "lru-cache";
import { isAgent, isPerson } from "@/lib/core/actor";
import type { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction, inTransaction } from "@/lib/db/context";
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
  if (actor.kind === "anonymous") return countSuppressed(`${error.code} ${method} ${path}`, ctx.now(), WINDOW_MS);
  if (error.code !== "rate_limited" || !isPerson(actor)) return 1;
  const who = actor.kind === "token" ? actor.tokenId : actor.userId;
  return countSuppressed(`${error.code} of ${who}`, ctx.now(), LIMITED_WINDOW_MS);
}

const MAX_KEYS = 1_000;

type Window = { since: number; suppressed: number };

/**
 * How many of a kind to write now: 1 for a first one, 0 while they are held back, all that were held with the next one after
 * the window. What is still held when the process ends is lost.
 */
function countSuppressed(key: string, now: Date, windowMs: number): number {
  const windows = processStore("held-events", () => new LRUCache<string, Window>({ max: MAX_KEYS }));
  const open = windows.get(key);
  const age = open ? now.getTime() - open.since : 0;
  // A window that begins later than now was opened by a clock that has been set back since.
  if (open && age >= 0 && age < windowMs) {
    open.suppressed += 1;
    return 0;
  }
  windows.set(key, { since: now.getTime(), suppressed: 0 });
  return 1 + (open?.suppressed ?? 0);
}

const READ_WINDOW_MS = 60_000;

/**
 * Adds an event for what an agent has read, before it gets the answer: without the event there is none. One that asks for
 * the same address again and again, as for a run it waits for, is counted: the first at once, those that follow within a
 * minute with the next. What others read is not recorded.
 */
export async function recordAgentRead(ctx: Ctx, { path, query }: { path: string; query: string }): Promise<void> {
  const { actor } = ctx;
  if (!isAgent(actor)) return;
  const count = countSuppressed(`read by ${actor.tokenId} ${path}${query}`, ctx.now(), READ_WINDOW_MS);
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
