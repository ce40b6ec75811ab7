import { findTerms, type HourCount, type IndexTerm, termKey, WORDED_EVENTS, withoutWords } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { jsonList, query, type Sql, sqlOf } from "@/lib/db/sql";
import { hourOf, INDEXED } from "./index-events";
import { type IndexedRow, isCounted, isListed, ROWS_AFTER, ROWS_OF, termsOf } from "./terms-of";

const BATCH = 500;

const UNLISTED_PAIR = query<{ term: number; seq: number }>({
  sqlite: `SELECT json_extract(w."value", '$[0]') AS "term", json_extract(w."value", '$[1]') AS "seq" FROM json_each(?) w
    WHERE NOT EXISTS (SELECT 1 FROM "AuditPosting" WHERE "termId" = json_extract(w."value", '$[0]')
      AND "seq" = json_extract(w."value", '$[1]')) LIMIT 1`,
  postgresql: `SELECT w."term", w."seq" FROM
      (SELECT (v->>0)::int AS "term", (v->>1)::int AS "seq" FROM json_array_elements(CAST(? AS json)) v) w
    WHERE NOT EXISTS (SELECT 1 FROM "AuditPosting" p WHERE p."termId" = w."term" AND p."seq" = w."seq") LIMIT 1`,
});

const HOURS_OF = query<HourCount>({
  sqlite: `SELECT h."termId" AS "term", h."hour", h."events", h."bad", h."minSeq", h."maxSeq" FROM json_each(?) w
    JOIN "AuditHour" h ON h."termId" = json_extract(w."value", '$[0]') AND h."hour" = json_extract(w."value", '$[1]')`,
  postgresql: `SELECT h."termId" AS "term", h."hour", h."events", h."bad", h."minSeq", h."maxSeq"
    FROM json_array_elements(CAST(? AS json)) w JOIN "AuditHour" h ON h."termId" = (w->>0)::int AND h."hour" = w->>1`,
});

const ALL_POSTINGS = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "AuditPosting" WHERE "seq" <= ?`);

const ALL_HOURS = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "AuditHour" WHERE "minSeq" <= ?`);

type Range = { oldest: number; indexed: number };

type Expected = HourCount & { of: IndexTerm };

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
 * How the audit log's index differs from the events that it covers, as a sentence; null when it is consistent. Events that are not
 * indexed yet are ignored. Compares the hourly counts and 16 events, so the cost grows only with the number of hours; events
 * are counted only when the sums differ. `every` compares every event.
 */
export async function checkAuditIndex(ctx: Ctx, { every = false } = {}): Promise<string | null> {
  const sql = sqlOf(ctx);
  const bounds = await sql.get(BOUNDS);
  if (bounds === undefined) return null;
  const { oldest, last, indexed, isEmpty } = bounds;
  if (indexed === 0) return isEmpty ? null : "the audit log's index does not say which events it covers";
  if (indexed > last) return `the audit log's index covers events up to ${indexed}, but the audit log ends at ${last}`;
  if (oldest === null || oldest > indexed) return null;
  const all = (await findTerms(sql, [["all", ""]])).get(termKey(["all", ""]));
  const hours = all === undefined ? undefined : await sql.get(HOURS, oldest, oldest, all);
  if (all === undefined || hours === undefined || hours.last !== indexed)
    return `the audit log's index does not count the events up to ${indexed}`;
  const isCounted = (events: number) => hours.least <= events && events <= hours.most;
  // The hour that sealing cut keeps its full count. Numbers have gaps only where events were removed.
  if (!isCounted(indexed - oldest + 1)) {
    const events = (await sql.get(EVENTS, indexed))?.count ?? 0;
    if (!isCounted(events)) return `the audit log's index counts ${hours.most} events, but there are ${events}`;
  }
  if (every) {
    const problem = await compareIndex(sql, { oldest, indexed });
    const now = problem === null ? undefined : await sql.get(BOUNDS);
    // A running server may have sealed events or emptied the index meanwhile; then compare again.
    const isMoved = now !== undefined && (now.oldest !== oldest || now.indexed < indexed);
    return isMoved ? checkAuditIndex(ctx, { every }) : problem;
  }
  const step = (indexed - oldest) / (SAMPLE - 1);
  const seqs = Array.from({ length: SAMPLE }, (_, index) => oldest + Math.round(index * step));
  for (const row of await sql.all(ROWS_OF, JSON.stringify([...new Set(seqs)]))) {
    if (!(await isFound(sql, row, all))) return `event ${row.seq} is missing in the audit log's index`;
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

/**
 * Compares the events from `oldest` to `indexed` with the index: the events of each term, the hourly counts and the words.
 * Returns the first difference as a sentence, or null. Reads every event, 500 at a time, which may take minutes. Ignores
 * events indexed meanwhile; events sealed meanwhile count as a difference.
 */
async function compareIndex(sql: Sql, range: Range): Promise<string | null> {
  const { oldest, indexed } = range;
  const seen = { events: 0, postings: 0, hours: 0 };
  const open = new Map<string, Expected>();
  for (let from = oldest - 1; from < indexed; ) {
    const rows = (await sql.all(ROWS_AFTER, from, BATCH)).filter(({ seq }) => seq <= indexed);
    const last = rows.at(-1);
    if (last === undefined) break;
    from = last.seq;
    const terms = new Map(rows.flatMap((row) => termsOf(row).map((term) => [termKey(term), term] as const)));
    const ids = await findTerms(sql, [...terms.values()]);
    const pairs: [term: number, seq: number][] = [];
    for (const row of rows) {
      for (const of of termsOf(row)) {
        const term = ids.get(termKey(of));
        if (term === undefined) return notListed(row.seq, of);
        if (isListed(of[0])) pairs.push([term, row.seq]);
        if (!isCounted(of[0])) continue;
        const [hour, bad] = [hourOf(row.at), row.outcome === "ok" ? 0 : 1];
        const known = open.get(`${term} ${hour}`);
        if (known === undefined)
          open.set(`${term} ${hour}`, { of, term, hour, events: 1, bad, minSeq: row.seq, maxSeq: row.seq });
        else Object.assign(known, { events: known.events + 1, bad: known.bad + bad, maxSeq: row.seq });
      }
    }
    const missing = await sql.get(UNLISTED_PAIR, JSON.stringify(pairs));
    const of = [...terms.values()].find((term) => ids.get(termKey(term)) === missing?.term);
    if (missing !== undefined) return notListed(missing.seq, of);
    const wordless = await withoutWords(
      sql,
      rows.map(({ seq }) => seq),
    );
    if (wordless !== null) return `the words of event ${wordless} are missing in the audit log's index`;
    seen.events += rows.length;
    seen.postings += pairs.length;
    // Clocks can go back: hours that do not match yet stay open until the last event was read.
    seen.hours += await closeHours(sql, open, (hour) => hour < hourOf(last.at), range);
  }
  seen.hours += await closeHours(sql, open, () => true, range);
  const [wrong] = open.values();
  if (wrong !== undefined) {
    const { of, hour, events } = wrong;
    return `the audit log's index does not count the ${events} events with ${nameOf(of)} in the hour ${hour}`;
  }
  const postings = (await sql.get(ALL_POSTINGS, indexed))?.count;
  if (postings !== seen.postings)
    return `the audit log's index has ${postings} entries for its terms, but its events have ${seen.postings}`;
  const hours = (await sql.get(ALL_HOURS, indexed))?.count;
  if (hours !== seen.hours)
    return `the audit log's index counts ${hours} hours of its terms, but there are ${seen.hours}`;
  const worded = (await sql.get(WORDED_EVENTS, indexed))?.count;
  if (worded !== seen.events)
    return `the audit log's index has words of ${worded} events, but there are ${seen.events}`;
  return null;
}

/** Removes the hours whose stored counts match; returns how many. */
async function closeHours(
  sql: Sql,
  open: Map<string, Expected>,
  isOver: (hour: string) => boolean,
  { oldest, indexed }: Range,
): Promise<number> {
  const over = [...open.values()].filter(({ hour }) => isOver(hour));
  let closed = 0;
  for (let from = 0; from < over.length; from += BATCH) {
    const part = over.slice(from, from + BATCH).map(({ term, hour }) => [term, hour]);
    const rows = await sql.all(HOURS_OF, JSON.stringify(part));
    const now = rows.some(({ maxSeq }) => maxSeq > indexed) ? ((await sql.get(INDEXED))?.seq ?? 0) : indexed;
    for (const row of rows) {
      const key = `${row.term} ${row.hour}`;
      const expected = open.get(key);
      if (expected === undefined) continue;
      // The hour that sealing cut keeps its full count; the current hour may include newer events.
      const [isCut, grows] = [row.minSeq < oldest, row.maxSeq > indexed && row.maxSeq <= now];
      const fits = (counted: number, least: number) => (isCut || grows ? counted >= least : counted === least);
      const isAsExpected =
        fits(row.events, expected.events) &&
        fits(row.bad, expected.bad) &&
        (isCut || row.minSeq === expected.minSeq) &&
        (grows || row.maxSeq === expected.maxSeq);
      if (isAsExpected && open.delete(key)) closed += 1;
    }
  }
  return closed;
}

function notListed(seq: number, of: IndexTerm | undefined): string {
  return `event ${seq} is missing in the audit log's index under ${of === undefined ? "a term" : nameOf(of)}`;
}

function nameOf([kind, value]: IndexTerm): string {
  return value === "" ? kind : `${kind} ${value}`;
}
