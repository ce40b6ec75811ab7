import { EventEmitter } from "node:events";
import { newId } from "@/lib/core/ids";
import { processStore } from "@/lib/core/process-store";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Usage } from "./source-reader";

export type Job = { sourceId: string; jobId: string };

/** Queues a sync and returns its job, or the job that is already queued or running. */
export async function queueSync(tx: Tx, source: { id: string; state: string; jobId: string | null }, now: Date) {
  if (source.jobId !== null && (source.state === "queued" || source.state === "running")) return source.jobId;
  return requeueSync(tx, source.id, now);
}

/** Queues a sync; the result of a running one is then discarded. */
export async function requeueSync(tx: Tx, sourceId: string, now: Date): Promise<string> {
  const jobId = newId();
  const data = { state: "queued", jobId, queuedAt: now, done: 0, total: 0 };
  await tx.catalogSource.update({ where: { id: sourceId }, data });
  return jobId;
}

/** Queues all due syncs of enabled sources. */
export async function queueDueSyncs(ctx: Ctx): Promise<void> {
  const where = { enabled: true, state: { in: ["idle", "failed"] }, nextSyncAt: { lte: ctx.now() } };
  if ((await ctx.db.catalogSource.count({ where })) === 0) return;
  await inTransaction(ctx, async (tx) => {
    for (const source of await tx.catalogSource.findMany({ where })) await requeueSync(tx, source.id, ctx.now());
  });
}

/** Queues syncs again that ended with their process; `except` are the sources that this process is syncing. */
export async function requeueInterruptedSyncs(ctx: Ctx, except: string[]): Promise<void> {
  const where = { state: "running", id: { notIn: except } };
  if ((await ctx.db.catalogSource.count({ where })) === 0) return;
  await inTransaction(ctx, async (tx) => {
    await tx.catalogSource.updateMany({ where, data: { state: "queued", done: 0, total: 0 } });
  });
}

/** Queued jobs, oldest first. */
export async function listQueuedSyncs(ctx: Ctx): Promise<Job[]> {
  const rows = await ctx.db.catalogSource.findMany({
    where: { state: "queued" },
    orderBy: [{ queuedAt: "asc" }, { id: "asc" }],
    select: { id: true, jobId: true },
  });
  return rows.flatMap(({ id, jobId }) => (jobId === null ? [] : [{ sourceId: id, jobId }]));
}

/** Corrects sync times that were planned by a fast clock and are now too far ahead. */
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

/** Columns for the requests and the quota of a sync. */
export function usageColumns({ requests, rawReads, rate }: Usage) {
  return {
    requests,
    rawReads,
    ...(rate && { rateLimit: rate.limit, rateLimitLeft: rate.left, rateLimitResetAt: rate.resetAt }),
  };
}

/** Time of the next sync after a successful one; null while the source is disabled. */
export function nextSyncAt(source: { enabled: boolean; intervalMinutes: number }, from: Date): Date | null {
  return source.enabled ? new Date(from.getTime() + source.intervalMinutes * 60_000) : null;
}

/** Time of the sync after a successful one: at once when a notification came while that one was running. */
export function dueAfterSync(source: Due, now: Date): Date | null {
  const { startedAt, nextSyncAt: due } = source;
  const planned = nextSyncAt(source, now);
  const isNotified = planned !== null && startedAt !== null && due !== null && due >= startedAt && due <= now;
  return isNotified ? due : planned;
}

type Due = { enabled: boolean; intervalMinutes: number; startedAt: Date | null; nextSyncAt: Date | null };

const FIRST_WAIT_MS = 60_000;
export const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Time of the next attempt: one minute after the first failure, then doubled each time, up to six hours. */
export function retryAfterFailures(failures: number, from: Date): Date {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT_MS);
  return new Date(from.getTime() + wait);
}

function bus(): EventEmitter {
  return processStore("catalog-syncs", () => new EventEmitter().setMaxListeners(0));
}

/** Starts queued syncs without waiting for the next poll. Call it after the transaction. */
export function notifySyncQueued(): void {
  bus().emit("queued");
}

/** Calls back for each queued sync until the returned function is called. */
export function onSyncQueued(listener: () => void): () => void {
  bus().on("queued", listener);
  return () => bus().off("queued", listener);
}
