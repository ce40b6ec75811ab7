import { jsonList, type Query, query, type Sql } from "./sql";

/**
 * Statements of the audit index that differ by database: JSON as a table, and full text by FTS5 or tsvector. The
 * migrations `audit_index` and `search_and_revisions` create the tables; `lib/audit/index/` documents them. Lists are
 * passed as one JSON text.
 */

export type IndexTerm = readonly [kind: string, value: string];
export type HourCount = { term: number; hour: string; events: number; bad: number; minSeq: number; maxSeq: number };

const ADD_TERMS = query({
  sqlite: `INSERT INTO "AuditTerm" ("kind", "value")
    SELECT json_extract("value", '$[0]'), json_extract("value", '$[1]') FROM json_each(?) WHERE true
    ON CONFLICT DO NOTHING`,
  postgresql: `INSERT INTO "AuditTerm" ("kind", "value")
    SELECT t->>0, t->>1 FROM json_array_elements(CAST(? AS json)) t ON CONFLICT DO NOTHING`,
});
const FIND_TERMS = query<{ id: number; kind: string; value: string }>({
  sqlite: `SELECT t."id", t."kind", t."value" FROM json_each(?) w
    JOIN "AuditTerm" t ON t."kind" = json_extract(w."value", '$[0]') AND t."value" = json_extract(w."value", '$[1]')`,
  postgresql: `SELECT t."id", t."kind", t."value" FROM json_array_elements(CAST(? AS json)) w
    JOIN "AuditTerm" t ON t."kind" = w->>0 AND t."value" = w->>1`,
});
// Inserts 100 rows per statement; reading them from JSON takes twice the time.
const CHUNK = 100;
const rowsOf = (row: string, count: number) => Array(count).fill(row).join(", ");
const addPostings = (count: number) =>
  query(`INSERT INTO "AuditPosting" ("termId", "seq") VALUES ${rowsOf("(?, ?)", count)}`);
const addHours = (count: number) =>
  query(
    `INSERT INTO "AuditHour" AS h ("termId", "hour", "events", "bad", "minSeq", "maxSeq")
     VALUES ${rowsOf("(?, ?, ?, ?, ?, ?)", count)}
     ON CONFLICT ("termId", "hour") DO UPDATE SET "events" = h."events" + excluded."events", "bad" = h."bad" + excluded."bad",
       "minSeq" = CASE WHEN h."minSeq" < excluded."minSeq" THEN h."minSeq" ELSE excluded."minSeq" END,
       "maxSeq" = CASE WHEN h."maxSeq" > excluded."maxSeq" THEN h."maxSeq" ELSE excluded."maxSeq" END`,
  );
const ADD_POSTINGS = { one: addPostings(1), many: addPostings(CHUNK) };
const ADD_HOURS = { one: addHours(1), many: addHours(CHUNK) };
const ADD_WORDS = query({
  sqlite: `INSERT INTO "AuditSearch" (rowid, "actorName", "summary")
    SELECT "seq", "actorName", "summary" FROM "AuditEvent" WHERE "seq" > ? AND "seq" <= ?`,
  postgresql: `INSERT INTO "AuditSearch" ("seq", "words")
    SELECT "seq", array_to_tsvector("stemsOf"("actorName" || ' ' || "summary")) FROM "AuditEvent"
    WHERE "seq" > ? AND "seq" <= ?`,
});
const FORGET_WORDS = query({
  sqlite: `DELETE FROM "AuditSearch" WHERE rowid <= ?`,
  postgresql: `DELETE FROM "AuditSearch" WHERE "seq" <= ?`,
});
// All words of the search, in any order, by stem.
const HELD = `"words" @@ (SELECT string_agg(quote_literal("stem"), ' & ')::tsquery FROM unnest("stemsOf"(?)) AS s("stem"))`;
export const WORDS_OLDER = wordsQuery("DESC");
export const WORDS_NEWER = wordsQuery("ASC");
/** Looks up an event in about 70 µs, so that one statement does not hold the event loop for long. */
const WORDS_AT_ONCE = 250;
const WORDS_OF = query<{ seq: number }>({
  sqlite: `SELECT s."value" AS "seq" FROM json_each(?) s
    WHERE EXISTS (SELECT 1 FROM "AuditSearch" WHERE "AuditSearch" MATCH ? AND rowid = s."value")`,
  postgresql: `SELECT "seq" FROM "AuditSearch"
    WHERE "seq" IN (SELECT json_array_elements_text(CAST(? AS json))::int) AND ${HELD}`,
});

const WITHOUT_WORDS = query<{ seq: number }>({
  sqlite: `SELECT s."value" AS "seq" FROM json_each(?) s
    WHERE NOT EXISTS (SELECT 1 FROM "AuditSearch_docsize" WHERE "id" = s."value") LIMIT 1`,
  postgresql: `SELECT s."value" AS "seq" FROM ${jsonList("postgresql", "number")} s
    WHERE NOT EXISTS (SELECT 1 FROM "AuditSearch" w WHERE w."seq" = s."value") LIMIT 1`,
});
export const WORDED_EVENTS = query<{ count: number }>({
  sqlite: `SELECT COUNT(*) AS "count" FROM "AuditSearch_docsize" WHERE "id" <= ?`,
  postgresql: `SELECT COUNT(*) AS "count" FROM "AuditSearch" WHERE "seq" <= ?`,
});
const TABLES = ["AuditPosting", "AuditHour", "AuditTerm", "AuditIndexed"].map((table) => `"${table}"`);
const EMPTY = {
  sqlite: [
    ...TABLES.map((table) => `DELETE FROM ${table}`),
    `INSERT INTO "AuditSearch" ("AuditSearch") VALUES ('delete-all')`,
  ].map((text) => query(text)),
  postgresql: [query(`TRUNCATE ${TABLES.join(", ")}, "AuditSearch"`)],
};

function wordsQuery(order: "ASC" | "DESC"): Query<{ seq: number }> {
  return query<{ seq: number }>({
    sqlite: `SELECT rowid AS "seq" FROM "AuditSearch" WHERE "AuditSearch" MATCH ? AND rowid BETWEEN ? AND ?
      ORDER BY rowid ${order} LIMIT ?`,
    postgresql: `SELECT "seq" FROM "AuditSearch" WHERE ${HELD} AND "seq" BETWEEN ? AND ? ORDER BY "seq" ${order} LIMIT ?`,
  });
}

/** Returns the number of each term, adding new ones. Only inside a transaction. */
export async function addTerms(sql: Sql, terms: readonly IndexTerm[]): Promise<Map<string, number>> {
  const known = await findTerms(sql, terms);
  const unknown = terms.filter((term) => !known.has(termKey(term)));
  if (unknown.length === 0) return known;
  await sql.run(ADD_TERMS, JSON.stringify(unknown));
  return new Map([...known, ...(await findTerms(sql, unknown))]);
}

/** Numbers of the terms that events have, by `termKey`. */
export async function findTerms(sql: Sql, terms: readonly IndexTerm[]): Promise<Map<string, number>> {
  const rows = await sql.all(FIND_TERMS, JSON.stringify(terms));
  return new Map(rows.map(({ id, kind, value }) => [termKey([kind, value]), id]));
}

export function termKey([kind, value]: IndexTerm): string {
  return `${kind} ${value}`;
}

/** Adds the events after `from` up to `to`. Only inside a transaction. */
export async function addToIndex(
  sql: Sql,
  added: { postings: [term: number, seq: number][]; hours: HourCount[]; from: number; to: number },
): Promise<void> {
  // In index order, so that rows of one page are written together.
  added.postings.sort(([a, from], [b, to]) => a - b || from - to);
  added.hours.sort((a, b) => a.term - b.term || (a.hour < b.hour ? -1 : 1));
  await addRows(sql, ADD_POSTINGS, added.postings);
  await addRows(
    sql,
    ADD_HOURS,
    added.hours.map(({ term, hour, events, bad, minSeq, maxSeq }) => [term, hour, events, bad, minSeq, maxSeq]),
  );
  await sql.run(ADD_WORDS, added.from, added.to);
}

type Statements = { one: Query<never>; many: Query<never> };

async function addRows(sql: Sql, { one, many }: Statements, rows: readonly (string | number)[][]): Promise<void> {
  const whole = rows.length - (rows.length % CHUNK);
  for (let from = 0; from < whole; from += CHUNK) await sql.run(many, ...rows.slice(from, from + CHUNK).flat());
  for (const row of rows.slice(whole)) await sql.run(one, ...row);
}

export async function forgetWords(sql: Sql, upTo: number): Promise<void> {
  await sql.run(FORGET_WORDS, upTo);
}

/** Empties the index, so that it is rebuilt from the first event. Only inside a transaction. */
export async function emptyIndex(sql: Sql): Promise<void> {
  for (const statement of EMPTY[sql.dialect]) await sql.run(statement);
}

/** Returns one of these events that has no words in the index; null when all have. */
export async function withoutWords(sql: Sql, seqs: readonly number[]): Promise<number | null> {
  return (await sql.get(WITHOUT_WORDS, JSON.stringify(seqs)))?.seq ?? null;
}

/** Returns those events that contain every word of `match`. */
export async function eventsWithWords(sql: Sql, seqs: readonly number[], match: string): Promise<Set<number>> {
  const found = new Set<number>();
  for (let from = 0; from < seqs.length; from += WORDS_AT_ONCE) {
    const rows = await sql.all(WORDS_OF, JSON.stringify(seqs.slice(from, from + WORDS_AT_ONCE)), match);
    for (const { seq } of rows) found.add(seq);
  }
  return found;
}

/** Converts a search text for the queries above; null when it has no word. */
export function wordsExpression({ dialect }: Sql, text: string): string | null {
  const words = (text.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 12);
  if (words.length === 0) return null;
  return dialect === "sqlite" ? words.map((word) => `"${word}"`).join(" AND ") : words.join(" ");
}
