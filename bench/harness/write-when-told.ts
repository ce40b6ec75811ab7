import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import { type Ctx, createCtx, inTransaction } from "@/lib/db/context";
import type { Database, DatabaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { type Query, query, type SqlValue, sqlOf, valuesOf } from "@/lib/db/sql";

/** `audited` as shipped; `unchained` without reading and extending the chain; `one-lock` with a lock that all share. */
export type WriteMode = "audited" | "unchained" | "one-lock";
export type WriteOrder = { mode: WriteMode; forMs: number } | { mode: WriteMode; count: number };
export type Written = { writes: number; attempts: number; elapsedMs: number };

/** Transactions that each process has waiting at a time. */
const AT_ONCE = 4;

const COLUMNS = ["id", "userId", "page", "name", "query", "isDefault", "createdAt"];
const INSERT = query(`INSERT INTO "SavedView" ${valuesOf(COLUMNS)}`);
const ONE_LOCK = query<{ locked: string }>(`SELECT pg_advisory_xact_lock(1)::text AS "locked"`);

type Addresses = { audited: DatabaseAddress; unchained: DatabaseAddress; number: number };
const { audited, unchained, number } = JSON.parse(process.argv[2] ?? "") as Addresses;
const databases = { audited: await openDatabase(audited), unchained: withoutChain(await openDatabase(unchained)) };

process.on("message", async (order: WriteOrder) => {
  process.send?.(await write(order));
});
process.send?.("ready");

async function write(order: WriteOrder): Promise<Written> {
  const database = databases[order.mode === "unchained" ? "unchained" : "audited"];
  const ctx = createCtx({ actor: { kind: "system", name: `process ${number}` }, database });
  const written = { writes: 0, attempts: 0, elapsedMs: 0 };
  const startedAt = performance.now();
  let left = "count" in order ? order.count : Number.POSITIVE_INFINITY;
  const until = "count" in order ? Number.POSITIVE_INFINITY : startedAt + order.forMs;
  const client = async () => {
    while (left > 0 && performance.now() < until) {
      left -= 1;
      await writeOne(ctx, order.mode, written);
      written.writes += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  written.elapsedMs = performance.now() - startedAt;
  return written;
}

/** One row and its audit event, in a transaction with a commit of its own. */
function writeOne(ctx: Ctx, mode: WriteMode, written: Written): Promise<void> {
  const key = newId();
  return inTransaction(ctx, async (tx, txCtx) => {
    written.attempts += 1;
    const sql = sqlOf(txCtx);
    if (mode === "one-lock") await sql.get(ONE_LOCK);
    await sql.run(INSERT, key, `user-${number}`, "audit", key, "", false, txCtx.now());
    await recordEvent(tx, txCtx, { action: "bench.write", summary: `wrote ${key}`, data: { key } });
  });
}

/** Events keep their columns and hashes, but follow no other one, and each process counts its own numbers. */
function withoutChain(database: Database): Database {
  const { writeSql } = database;
  const isOfChain = ({ text }: Query<unknown>) => /^\s*(SELECT|UPDATE).*"AuditChain"/s.test(text.postgresql);
  let next = number * 100_000_000;
  return {
    ...database,
    writeSql: {
      ...writeSql,
      get: async <Row>(asked: Query<Row>, ...values: SqlValue[]) => {
        if (!isOfChain(asked)) return writeSql.get(asked, ...values);
        next += 1;
        return { place: next, hash: "0".repeat(64), next } as Row;
      },
      run: async (asked, ...values) => (isOfChain(asked) ? 1 : writeSql.run(asked, ...values)),
    },
  };
}
