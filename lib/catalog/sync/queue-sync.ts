import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { Job } from "./store-snapshot";

/** Queues a sync and answers its job; one that is queued or under way already is the answer itself. */
export async function queueSync(tx: Tx, source: { id: string; state: string; jobId: string | null }, now: Date) {
  if (source.jobId !== null && (source.state === "queued" || source.state === "running")) return source.jobId;
  return queueAnew(tx, source.id, now);
}

/** Queues a sync even when one is under way, whose result is then dropped. */
export async function queueAnew(tx: Tx, sourceId: string, now: Date): Promise<string> {
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
    for (const source of await tx.catalogSource.findMany({ where })) await queueAnew(tx, source.id, ctx.now());
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
