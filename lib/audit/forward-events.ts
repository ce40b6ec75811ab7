import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { AuditForward } from "@/lib/db/generated/client";
import { readEvents, readNewest, readSettled } from "./chain/chain-events";
import type { Sink } from "./forward-sinks";
import { recordEvent } from "./record-event";

const BATCH = 200;
/** Maximum batches per turn, so that a sink that lags far behind does not delay the others. */
const MAX_BATCHES = 25;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 15 * 60_000;

export type ForwardState = { sink: string; behind: number; failures: number; lastError: string | null };

/**
 * Sends new events to each sink, in order and at least once; a sink starts with the events after its setup. A failing sink is
 * retried with increasing pauses, up to 15 minutes. Recording events never waits for this. Returns how far each sink lags.
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
  row ??= await saveState(ctx, { sink: sink.name, seq: await readSettled(ctx), ...NO_FAILURE, sentAt: null });
  if (row.nextTryAt !== null && row.nextTryAt > ctx.now()) return row;
  let batches = 0;
  try {
    const until = await readSettled(ctx);
    for await (const events of readEvents(ctx.database.readSql, { after: row.seq, until, batch: BATCH })) {
      await sink.send(events, signal);
      const recovered = row.failures > 0;
      row = await saveState(ctx, { ...row, ...NO_FAILURE, seq: Number(events.at(-1)?.seq), sentAt: ctx.now() });
      if (recovered) await recordChange(ctx, sink, null);
      batches += 1;
      if (batches === MAX_BATCHES || signal.aborted) break;
    }
    return row;
  } catch (error) {
    if (signal.aborted) return row;
    const lastError = error instanceof Error ? reasonOf(error) : String(error);
    if (row.failures === 0) await recordChange(ctx, sink, lastError);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.failures, 20), MAX_PAUSE_MS);
    const nextTryAt = new Date(ctx.now().getTime() + pause);
    return saveState(ctx, { ...row, failures: row.failures + 1, nextTryAt, lastError });
  }
}

const NO_FAILURE = { failures: 0, nextTryAt: null, lastError: null };

async function newestSeq(ctx: Ctx): Promise<number> {
  return (await readNewest(ctx.database.readSql))?.seq ?? 0;
}

/** Not recorded as an event: each forwarded event would then create another one. */
function saveState(ctx: Ctx, row: AuditForward): Promise<AuditForward> {
  const { sink, ...data } = row;
  return inTransaction(ctx, (tx) => tx.auditForward.upsert({ where: { sink }, create: row, update: data }));
}

async function recordChange(ctx: Ctx, sink: Sink, error: string | null): Promise<void> {
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: error === null ? "audit.forward_resume" : "audit.forward_fail",
      outcome: error === null ? "ok" : "failed",
      summary:
        error === null
          ? `resumed forwarding the audit log to the ${sink.name}`
          : `could not forward the audit log to the ${sink.name}: ${error}`,
      target: { kind: "audit-sink", id: sink.name, name: sink.name },
    }),
  );
}

/** `fetch` gives the reason only in the cause. */
function reasonOf(error: Error): string {
  const { cause } = error;
  const text = cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
  return text.slice(0, 300);
}

/** A sentence about sinks that lag or fail; null when all are up to date. */
export function describeForwarding(states: readonly ForwardState[]): string | null {
  const parts = states.flatMap(({ sink, behind, failures, lastError }) => {
    if (failures > 0) return [`${sink}: ${behind} events behind, failed ${failures} times (${lastError})`];
    return behind > BATCH ? [`${sink}: ${behind} events behind`] : [];
  });
  return parts.length === 0 ? null : parts.join("; ");
}
