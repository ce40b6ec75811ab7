import type { Actor, RequestInfo } from "@/lib/core/actor";
import type { Database } from "./database";
import type { Prisma } from "./generated/client";

export type Tx = Prisma.TransactionClient;

/** What every verb gets first: who acts, through which request, on which database, and what time it is. */
export type Ctx = {
  actor: Actor;
  request: RequestInfo;
  database: Database;
  /** For reads. Sees committed data only; inside a transaction, the transaction's own. */
  db: Tx;
  /** Set while a transaction is open, so that verbs compose into one. */
  tx?: Tx;
  now(): Date;
};

export function createCtx(input: { actor: Actor; database: Database; request?: RequestInfo; now?: () => Date }): Ctx {
  return {
    actor: input.actor,
    request: input.request ?? { requestId: null, address: null, userAgent: null },
    database: input.database,
    db: input.database.reader,
    now: input.now ?? (() => new Date()),
  };
}

type Work<T> = (tx: Tx, ctx: Ctx) => Promise<T>;

/**
 * Runs `work` in one transaction, or in the caller's when there is one already. Transactions of a process queue up
 * behind each other; the work must not wait for anything but the database. On PostgreSQL it is called again when it conflicts
 * with another process, so it must have no effects but through the transaction and its result.
 */
export function inTransaction<T>(ctx: Ctx, work: Work<T>): Promise<T> {
  return enter(ctx, work, false);
}

/**
 * Like `inTransaction`, for work of a few prepared statements. Transactions that wait at the same time share one commit; each
 * is undone separately when it fails, and answered only once the commit is on the disk.
 */
export function inQuickTransaction<T>(ctx: Ctx, work: Work<T>): Promise<T> {
  return enter(ctx, work, true);
}

async function enter<T>(ctx: Ctx, work: Work<T>, quick: boolean): Promise<T> {
  if (ctx.tx) return work(ctx.tx, ctx);
  return ctx.database.writes.enter((tx) => work(tx, { ...ctx, db: tx, tx }), { quick });
}
