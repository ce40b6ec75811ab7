import type { Ctx } from "@/lib/db/context";
import { query, type SqlValue } from "@/lib/db/sql";
import { chainKeyOf } from "./chain-key";
import { EVENT_COLUMNS, type EventRow } from "./event-columns";
import { GENESIS, hashEvent } from "./hash-event";
import { noticeEvent } from "./write-head";

type Tail = { seq: number; hash: string | null };

const TAIL = query<Tail>(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);
const ANCHOR = query<Tail>(
  `SELECT "toSeq" AS "seq", "lastHash" AS "hash" FROM "AuditSegment" ORDER BY "fromSeq" DESC LIMIT 1`,
);
const names = [...EVENT_COLUMNS, "prevHash", "hash"];
const INSERT = query(
  `INSERT INTO "AuditEvent" (${names.map((name) => `"${name}"`).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
);

const UNCHAINED =
  "The newest event of the audit has no hash. After an update, start the server once; otherwise somebody changed the audit: run npm run audit:verify.";

/** Halves of characters, which no database keeps, and zero bytes, which PostgreSQL does not. */
const UNKEEPABLE = /\p{Surrogate}|\0/gu;
/** Whole characters of two halves too, but found in no time. */
const SUSPECT = /[\0\ud800-\udfff]/;

/**
 * Adds an event to the end of the chain, inside the open transaction. It takes the next number itself, so that none is ever
 * left out; of one transaction, events are added one after the other.
 */
export async function appendEvent(database: Ctx["database"], event: Omit<EventRow, "seq">): Promise<void> {
  const key = await chainKeyOf(database);
  const sql = database.writeSql;
  const tail = (await sql.get(TAIL)) ?? (await sql.get(ANCHOR)) ?? { seq: 0, hash: GENESIS };
  if (tail.hash === null) throw new Error(UNCHAINED);
  const row: Record<string, SqlValue> = { ...event, seq: tail.seq + 1 };
  for (const name of EVENT_COLUMNS) {
    const value = row[name];
    if (typeof value === "string" && SUSPECT.test(value)) row[name] = value.replace(UNKEEPABLE, "\ufffd");
  }
  const values = EVENT_COLUMNS.map((name) => row[name] ?? null);
  await sql.run(INSERT, ...values, tail.hash, hashEvent(key, row, tail.hash));
  noticeEvent(database, tail.seq + 1);
}
