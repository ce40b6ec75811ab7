import type { Ctx, Tx } from "./context";

type Work<T> = (tx: Tx, ctx: Ctx) => Promise<T>;

/**
 * Runs `work` in one transaction, or in the caller's when there is one already. Transactions of a process queue up
 * behind each other; the work must not wait for anything but the database.
 */
export function inTransaction<T>(ctx: Ctx, work: Work<T>): Promise<T> {
  return enter(ctx, work, false);
}

/**
 * The same for work of a few prepared statements. Those that wait at the same time share one commit; each is undone by
 * itself when it fails, and answered only once the commit is on the disk.
 */
export function inQuickTransaction<T>(ctx: Ctx, work: Work<T>): Promise<T> {
  return enter(ctx, work, true);
}

async function enter<T>(ctx: Ctx, work: Work<T>, quick: boolean): Promise<T> {
  if (ctx.tx) return work(ctx.tx, ctx);
  return ctx.database.writes.enter((tx) => work(tx, { ...ctx, db: tx, tx }), { quick });
}
