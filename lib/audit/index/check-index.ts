import { findTerms, termKey, withoutWords } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { jsonList } from "@/lib/db/json-list";
import { query, type Sql, sqlOf } from "@/lib/db/sql";
import { compareIndex } from "./compare-index";
import { hourOf } from "./index-events";
import { type IndexedRow, isListed, ROWS_OF, termsOf } from "./terms-of";

/** Events that are looked at one by one, evenly spread over all that are in the index. */
const SAMPLE = 16;

type Bounds = { oldest: number | null; last: number; indexed: number; isEmpty: boolean };
const BOUNDS = query<Bounds>(
  `SELECT (SELECT MIN("seq") FROM "AuditEvent") AS "oldest",
     COALESCE((SELECT MAX("seq") FROM "AuditEvent"), (SELECT MAX("toSeq") FROM "AuditSegment"), 0) AS "last",
     COALESCE((SELECT "seq" FROM "AuditIndexed" WHERE "id" = 1), 0) AS "indexed",
     NOT EXISTS (SELECT 1 FROM "AuditPosting") AND NOT EXISTS (SELECT 1 FROM "AuditHour") AS "isEmpty"`,
  { isEmpty: "flag" },
);
const HOURS = query<{ least: number; most: number; last: number }>(
  `SELECT COALESCE(SUM(CASE WHEN "minSeq" >= ? THEN "events" ELSE 0 END), 0) AS "least",
     COALESCE(SUM(CASE WHEN "maxSeq" >= ? THEN "events" ELSE 0 END), 0) AS "most", COALESCE(MAX("maxSeq"), 0) AS "last"
   FROM "AuditHour" WHERE "termId" = ?`,
);
const EVENTS = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "AuditEvent" WHERE "seq" <= ?`);
const POSTINGS = query<{ count: number }>({
  sqlite: `SELECT COUNT(*) AS "count" FROM "AuditPosting" WHERE "termId" IN ${jsonList("sqlite")} AND "seq" = ?`,
  postgresql: `SELECT COUNT(*) AS "count" FROM "AuditPosting"
    WHERE "termId" IN ${jsonList("postgresql", "number")} AND "seq" = ?`,
});
const HOUR = query<{ events: number }>(
  `SELECT "events" FROM "AuditHour" WHERE "termId" = ? AND "hour" = ? AND "minSeq" <= ? AND "maxSeq" >= ?`,
);

/**
 * How the audit's index differs from the events that it says it holds, as a sentence; null when it fits. Events that wait to
 * be indexed are no difference. Adds up the counts of the hours and looks at 16 events, so its cost grows with hours alone;
 * events are counted only when that sum is not what their numbers say. `every` compares it with each event instead of 16.
 */
export async function checkAuditIndex(ctx: Ctx, { every = false } = {}): Promise<string | null> {
  const sql = sqlOf(ctx);
  const bounds = await sql.get(BOUNDS);
  if (bounds === undefined) return null;
  const { oldest, last, indexed, isEmpty } = bounds;
  if (indexed === 0) return isEmpty ? null : "the index of the audit does not say which events it holds";
  if (indexed > last) return `the index of the audit holds events up to ${indexed}, and the audit ends at ${last}`;
  if (oldest === null || oldest > indexed) return null;
  const all = (await findTerms(sql, [["all", ""]])).get(termKey(["all", ""]));
  const hours = all === undefined ? undefined : await sql.get(HOURS, oldest, oldest, all);
  if (all === undefined || hours === undefined || hours.last !== indexed)
    return `the index of the audit does not count the events up to ${indexed}`;
  const isCounted = (events: number) => hours.least <= events && events <= hours.most;
  // The hour in which sealed events end keeps its count. Numbers have gaps only where something was taken out.
  if (!isCounted(indexed - oldest + 1)) {
    const events = (await sql.get(EVENTS, indexed))?.count ?? 0;
    if (!isCounted(events)) return `the index of the audit counts ${hours.most} events, and there are ${events}`;
  }
  if (every) {
    const problem = await compareIndex(sql, { oldest, indexed });
    const now = problem === null ? undefined : await sql.get(BOUNDS);
    // Beside a running server: what was sealed or emptied meanwhile no longer fits what was read before.
    const isMoved = now !== undefined && (now.oldest !== oldest || now.indexed < indexed);
    return isMoved ? checkAuditIndex(ctx, { every }) : problem;
  }
  const step = (indexed - oldest) / (SAMPLE - 1);
  const seqs = Array.from({ length: SAMPLE }, (_, index) => oldest + Math.round(index * step));
  for (const row of await sql.all(ROWS_OF, JSON.stringify([...new Set(seqs)]))) {
    if (!(await isFound(sql, row, all))) return `event ${row.seq} is not found in the index of the audit`;
  }
  return null;
}

async function isFound(sql: Sql, row: IndexedRow, all: number): Promise<boolean> {
  const terms = termsOf(row);
  const ids = await findTerms(sql, terms);
  if (terms.some((term) => !ids.has(termKey(term)))) return false;
  const listed = new Set(terms.filter(([kind]) => isListed(kind)).map((term) => ids.get(termKey(term))));
  const postings = await sql.get(POSTINGS, JSON.stringify([...listed]), row.seq);
  const hour = await sql.get(HOUR, all, hourOf(row.at), row.seq, row.seq);
  return postings?.count === listed.size && hour !== undefined && (await withoutWords(sql, [row.seq])) === null;
}
