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
 * Records a refused request in its own transaction. Repeated refusals of anonymous callers are counted: the first of a kind is
 * written immediately, those of the next ten minutes become one event with a count. The same applies, within a minute, to
 * requests over a rate limit by one person or token, so that floods do not fill the disk. `describeRun` reads the refused run.
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

/** 1 for the first of a kind, 0 within the window, then all suppressed ones with the next. Lost at process end. */
function countSuppressed(key: string, now: Date, windowMs: number): number {
  const windows = processStore("held-events", () => new LRUCache<string, Window>({ max: MAX_KEYS }));
  const open = windows.get(key);
  const age = open ? now.getTime() - open.since : 0;
  // A negative age means that the clock was set back; the window is then ignored.
  if (open && age >= 0 && age < windowMs) {
    open.suppressed += 1;
    return 0;
  }
  windows.set(key, { since: now.getTime(), suppressed: 0 });
  return 1 + (open?.suppressed ?? 0);
}

const READ_WINDOW_MS = 60_000;

/** Records an agent's read before the answer is sent. Repeated reads, as when polling, are counted within a minute. */
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
