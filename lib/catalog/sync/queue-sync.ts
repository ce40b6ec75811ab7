import { EventEmitter } from "node:events";
import { newId } from "@/lib/core/ids";
import { processStore } from "@/lib/core/process-store";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Usage } from "../github/create-client";

export type Job = { sourceId: string; jobId: string };

/** Queues a sync and answers its job; one that is queued or under way already is the answer itself. */
export async function queueSync(tx: Tx, source: { id: string; state: string; jobId: string | null }, now: Date) {
  if (source.jobId !== null && (source.state === "queued" || source.state === "running")) return source.jobId;
  return requeueSync(tx, source.id, now);
}

/** Queues a sync even when one is under way, whose result is then dropped. */
export async function requeueSync(tx: Tx, sourceId: string, now: Date): Promise<string> {
  const jobId = newId();
  const data = { state: "queued", jobId, queuedAt: now, done: 0, total: 0 };
  await tx.catalogSource.update({ where: { id: sourceId }, data });
  return jobId;
}

/** Queues every enabled source whose time has come. */
export async function queueDueSyncs(ctx: Ctx): Promise<void> {
  const where = { enabled: true, state: { in: ["idle", "failed"] }, nextSyncAt: { lte: ctx.now() } };
  if ((await ctx.db.catalogSource.count({ where })) === 0) return;
  await inTransaction(ctx, async (tx) => {
    for (const source of await tx.catalogSource.findMany({ where })) await requeueSync(tx, source.id, ctx.now());
  });
}

/** Puts syncs back into the queue that were under way when a process ended; `except` are the sources whose sync still is. */
export async function requeueInterruptedSyncs(ctx: Ctx, except: string[]): Promise<void> {
  const where = { state: "running", id: { notIn: except } };
  if ((await ctx.db.catalogSource.count({ where })) === 0) return;
  await inTransaction(ctx, async (tx) => {
    await tx.catalogSource.updateMany({ where, data: { state: "queued", done: 0, total: 0 } });
  });
}

/** The jobs that wait, the oldest first. */
export async function listQueuedSyncs(ctx: Ctx): Promise<Job[]> {
  const rows = await ctx.db.catalogSource.findMany({
    where: { state: "queued" },
    orderBy: [{ queuedAt: "asc" }, { id: "asc" }],
    select: { id: true, jobId: true },
  });
  return rows.flatMap(({ id, jobId }) => (jobId === null ? [] : [{ sourceId: id, jobId }]));
}

/** Brings syncs nearer that lie further ahead than any can: they were planned while the clock was ahead. */
export async function replanSyncs(ctx: Ctx): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const rows = await tx.catalogSource.findMany({
      where: { enabled: true, nextSyncAt: { gt: ctx.now() } },
      select: { id: true, intervalMinutes: true, nextSyncAt: true },
    });
    for (const { id, intervalMinutes, nextSyncAt } of rows) {
      const latest = new Date(ctx.now().getTime() + Math.max(intervalMinutes * 60_000, LONGEST_WAIT_MS));
      if (nextSyncAt === null || nextSyncAt <= latest) continue;
      await tx.catalogSource.update({ where: { id }, data: { nextSyncAt: latest } });
    }
  });
}

/** The columns of a source that say what its sync cost. */
export function usageColumns({ requests, rawReads, rate }: Usage) {
  return {
    requests,
    rawReads,
    ...(rate && { rateLimit: rate.limit, rateLimitLeft: rate.left, rateLimitResetAt: rate.resetAt }),
  };
}

/** When a source is due again after a good sync; null while it is off. */
export function nextSyncAt(source: { enabled: boolean; intervalMinutes: number }, from: Date): Date | null {
  return source.enabled ? new Date(from.getTime() + source.intervalMinutes * 60_000) : null;
}

const FIRST_WAIT_MS = 60_000;
export const LONGEST_WAIT_MS = 6 * 3_600_000;

/** When to try again after so many failures in a row: after a minute, then twice as long each time, up to six hours. */
export function retryAfterFailures(failures: number, from: Date): Date {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT_MS);
  return new Date(from.getTime() + wait);
}

function bus(): EventEmitter {
  return processStore("catalog-syncs", () => new EventEmitter().setMaxListeners(0));
}

/** Tells the background work that a sync was queued. Call it after the transaction. */
export function notifySyncQueued(): void {
  bus().emit("queued");
}

/** Calls back for each queued sync until the returned function is called. */
export function onSyncQueued(listener: () => void): () => void {
  bus().on("queued", listener);
  return () => bus().off("queued", listener);
}
