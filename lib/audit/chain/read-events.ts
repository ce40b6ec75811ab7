import { query, type Sql } from "@/lib/db/sql";
import { EVENT_COLUMNS, type StoredEvent } from "./event-columns";

const COLUMNS = [...EVENT_COLUMNS, "prevHash", "hash"].map((name) => `"${name}"`).join(", ");
const AFTER = query<{ seq: number }>(
  `SELECT ${COLUMNS} FROM "AuditEvent" WHERE "seq" > ? AND "seq" <= ? ORDER BY "seq" LIMIT ?`,
);

/** What stands in the database, as it stands there, in batches by number: after `after`, up to `until`. */
export async function* readEvents(
  sql: Sql,
  { after, until, batch = 500 }: { after: number; until: number; batch?: number },
): AsyncGenerator<StoredEvent[]> {
  let position = after;
  for (;;) {
    const rows = await sql.all(AFTER, position, until, batch);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows as unknown as StoredEvent[];
    if (rows.length < batch) return;
    position = last.seq;
  }
}
