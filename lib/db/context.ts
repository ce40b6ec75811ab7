import type { Actor, RequestInfo } from "@/lib/core/actor";
import type { Database } from "./database";
import type { Prisma } from "./generated/client";

/** A transaction: all its writes happen or none does. */
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
