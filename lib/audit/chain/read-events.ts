import { query, type Sql } from "@/lib/db/sql";
import { EVENT_COLUMNS, GENESIS, type StoredEvent } from "./hash-event";

const COLUMNS = [...EVENT_COLUMNS, "prevHash", "hash"].map((name) => `"${name}"`).join(", ");
const AFTER = query<{ seq: number }>(
  `SELECT ${COLUMNS} FROM "AuditEvent" WHERE "seq" > ? AND "seq" <= ? ORDER BY "seq" LIMIT ?`,
);

type Place = { seq: number; hash: string | null };
const NEWEST = query<Place>(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);
const LAST_SEALED = query<{ seq: number; hash: string }>(
  `SELECT "toSeq" AS "seq", "lastHash" AS "hash" FROM "AuditSegment" ORDER BY "fromSeq" DESC LIMIT 1`,
);

/** The newest event that is not sealed. */
export function readNewest(sql: Sql): Promise<Place | undefined> {
  return sql.get(NEWEST);
}

/** Where the sealed events end, and the chain of the others begins. */
export async function readAnchor(sql: Sql): Promise<{ seq: number; hash: string }> {
  return (await sql.get(LAST_SEALED)) ?? { seq: 0, hash: GENESIS };
}

/** What stands in the database, as it stands there, in batches by number: after `after`, up to `until`. */
export async function* readEvents(
  sql: Sql,
  { after, until, batch = 500 }: { after: number; until: number; batch?: number },
): AsyncGenerator<StoredEvent[]> {
  // A column of PostgreSQL reaches no further; one of SQLite does, and so do rows that somebody put there.
  const most = sql.dialect === "postgresql" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  let position = Math.max(after, -most);
  for (;;) {
    const rows = await sql.all(AFTER, position, Math.min(until, most), batch);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows as unknown as StoredEvent[];
    if (rows.length < batch) return;
    position = last.seq;
  }
}
