import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { AuditForward } from "@/lib/db/generated/client";
import { readEvents, readNewest } from "./chain/chain-events";
import type { Sink } from "./forward-sinks";
import { recordEvent } from "./record-event";

const BATCH = 200;
/** Batches of one turn, so that a sink which is far behind does not keep the others waiting. */
const BATCHES = 25;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

export type ForwardState = { sink: string; behind: number; failures: number; lastError: string | null };

/**
 * Hands each sink what is new since it took something last, in order, each event at least once; a sink begins with what
 * comes after it was set up. One that fails is left alone for a while, longer each time, up to a quarter of an hour. Nothing
 * that is recorded ever waits for this. Answers how far each is behind.
 */
export async function forwardEvents(ctx: Ctx, sinks: readonly Sink[], signal: AbortSignal): Promise<ForwardState[]> {
  const states: ForwardState[] = [];
  for (const sink of sinks) {
    const row = await forwardOne(ctx, sink, signal);
    const behind = (await newestSeq(ctx)) - row.seq;
    states.push({ sink: row.sink, behind, failures: row.failures, lastError: row.lastError });
  }
  return states;
}

async function forwardOne(ctx: Ctx, sink: Sink, signal: AbortSignal): Promise<AuditForward> {
  let row = await ctx.db.auditForward.findUnique({ where: { sink: sink.name } });
  row ??= await keep(ctx, { sink: sink.name, seq: await newestSeq(ctx), ...untroubled, sentAt: null });
  if (row.nextTryAt !== null && row.nextTryAt > ctx.now()) return row;
  let batches = 0;
  try {
    const until = await newestSeq(ctx);
    for await (const events of readEvents(ctx.database.readSql, { after: row.seq, until, batch: BATCH })) {
      await sink.send(events, signal);
      const recovered = row.failures > 0;
      row = await keep(ctx, { ...row, ...untroubled, seq: Number(events.at(-1)?.seq), sentAt: ctx.now() });
      if (recovered) await tell(ctx, sink, null);
      batches += 1;
      if (batches === BATCHES || signal.aborted) break;
    }
    return row;
  } catch (error) {
    if (signal.aborted) return row;
    const lastError = error instanceof Error ? reasonOf(error) : String(error);
    if (row.failures === 0) await tell(ctx, sink, lastError);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.failures, 20), LONGEST_PAUSE_MS);
    const nextTryAt = new Date(ctx.now().getTime() + pause);
    return keep(ctx, { ...row, failures: row.failures + 1, nextTryAt, lastError });
  }
}

const untroubled = { failures: 0, nextTryAt: null, lastError: null };

async function newestSeq(ctx: Ctx): Promise<number> {
  return (await readNewest(ctx.database.readSql))?.seq ?? 0;
}

/** Not an event: forwarding that would make one each time would never come to an end. */
function keep(ctx: Ctx, row: AuditForward): Promise<AuditForward> {
  const { sink, ...data } = row;
  return inTransaction(ctx, (tx) => tx.auditForward.upsert({ where: { sink }, create: row, update: data }));
}

/** Once when it begins to fail, and once when it works again. */
async function tell(ctx: Ctx, sink: Sink, error: string | null): Promise<void> {
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: error === null ? "audit.forward_resume" : "audit.forward_fail",
      outcome: error === null ? "ok" : "failed",
      summary:
        error === null
          ? `forwards the audit to the ${sink.name} again`
          : `could not forward the audit to the ${sink.name}: ${error}`,
      target: { kind: "audit-sink", id: sink.name, name: sink.name },
    }),
  );
}

/** `fetch` says why only in the cause. */
function reasonOf(error: Error): string {
  const { cause } = error;
  const text = cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
  return text.slice(0, 300);
}

/** Says in a sentence which sinks are behind or fail; null when none is. */
export function describeForwarding(states: readonly ForwardState[]): string | null {
  const parts = states.flatMap(({ sink, behind, failures, lastError }) => {
    if (failures > 0) return [`${sink}: ${behind} events behind, failed ${failures} times (${lastError})`];
    return behind > BATCH ? [`${sink}: ${behind} events behind`] : [];
  });
  return parts.length === 0 ? null : parts.join("; ");
}
