import type { Ctx, Tx } from "./context";

const queues = new WeakMap<object, Promise<unknown>>();

/**
 * Runs `work` in one transaction, or in the caller's when there is one already. Transactions of a process queue up
 * behind each other; the work must not wait for anything but the database.
 */
export async function inTransaction<T>(ctx: Ctx, work: (tx: Tx, ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.tx) return work(ctx.tx, ctx);
  const { writer } = ctx.database;
  const turn = (queues.get(writer) ?? Promise.resolve()).then(() =>
    writer.$transaction((tx) => work(tx, { ...ctx, db: tx, tx })),
  );
  queues.set(
    writer,
    turn.catch(() => undefined),
  );
  return turn;
}
