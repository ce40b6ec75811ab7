import {
  eventsWithWords,
  findTerms,
  type IndexTerm,
  termKey,
  WORDS_NEWER,
  WORDS_OLDER,
  wordsExpression,
} from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { hourOf, indexEvents } from "./index-events";
import { type IndexedRow, ROWS_OF, termsOf } from "./terms-of";

export const MAX_EXAMINED = 10_000;
const CHUNK = 500;

export type EventQuery = { terms: IndexTerm[]; q: string | null; from: Date | null; to: Date | null };
export type Direction = "older" | "newer";

export const POSTINGS_OLDER = query<{ seq: number }>(
  `SELECT "seq" FROM "AuditPosting" WHERE "termId" = ? AND "seq" BETWEEN ? AND ? ORDER BY "seq" DESC LIMIT ?`,
);
export const POSTINGS_NEWER = query<{ seq: number }>(
  `SELECT "seq" FROM "AuditPosting" WHERE "termId" = ? AND "seq" BETWEEN ? AND ? ORDER BY "seq" LIMIT ?`,
);
export const EVENTS_OLDER = query<{ seq: number }>(
  `SELECT "seq" FROM "AuditEvent" WHERE "seq" BETWEEN ? AND ? ORDER BY "seq" DESC LIMIT ?`,
);
export const EVENTS_NEWER = query<{ seq: number }>(
  `SELECT "seq" FROM "AuditEvent" WHERE "seq" BETWEEN ? AND ? ORDER BY "seq" LIMIT ?`,
);
// Separate queries for open ends: SQLite compares times as text, so no placeholder sorts after all of them.
export const EVENTS_FROM = query<{ seq: number }>(`SELECT "seq" FROM "AuditEvent" WHERE "at" >= ? LIMIT ?`);
export const EVENTS_TO = query<{ seq: number }>(`SELECT "seq" FROM "AuditEvent" WHERE "at" <= ? LIMIT ?`);
export const EVENTS_AT = query<{ seq: number }>(`SELECT "seq" FROM "AuditEvent" WHERE "at" BETWEEN ? AND ? LIMIT ?`);
const ENDS = query<{ low: number | null; high: number | null }>(
  `SELECT (SELECT min("seq") FROM "AuditEvent") AS "low", (SELECT max("seq") FROM "AuditEvent") AS "high"`,
);
export const HOURS_SPAN = query<{ low: number | null; high: number | null }>(
  `SELECT min("minSeq") AS "low", max("maxSeq") AS "high" FROM "AuditHour" WHERE "termId" = ? AND "hour" BETWEEN ? AND ?`,
);

type Source = { size: number; read(low: number, high: number, direction: Direction, limit: number): Promise<number[]> };

export type Search = {
  /** All events of the requested time have numbers in this range. */
  low: number;
  high: number;
  /** Upper bound of matching events, if measured; above `MAX_EXAMINED` it means many. */
  size: number;
  /** The next matching events between `low` and `high`, nearest first. `reached`: the last examined event, null for all. */
  find(span: { low: number; high: number }, direction: Direction, limit: number): Promise<Found>;
  check(seqs: readonly number[]): Promise<IndexedRow[]>;
};
export type Found = { rows: IndexedRow[]; reached: number | null };

/** Reads candidates of the rarest term and examines each one, at most 10,000 per request. */
export async function searchEvents(ctx: Ctx, sought: EventQuery, { measure = false } = {}): Promise<Search> {
  const needsIndex = sought.terms.length > 0 || sought.q !== null || sought.from !== null || sought.to !== null;
  const isIndexed = needsIndex ? await indexEvents(ctx) : false;
  const sql = sqlOf(ctx);
  const ids = isIndexed ? await findTerms(sql, [...sought.terms, ["all", ""]]) : new Map<string, number>();
  const { low, high } = await spanOf(ctx, sought, ids.get(termKey(["all", ""])));
  const match = sought.q === null ? null : wordsExpression(sql, sought.q);
  const isNothing = (sought.q !== null && match === null) || low > high;

  const events: Source = {
    size: Math.max(0, high - low + 1),
    read: async (from, to, direction, limit) =>
      numbers(await sql.all(direction === "older" ? EVENTS_OLDER : EVENTS_NEWER, from, to, limit)),
  };
  const sources: Source[] = [];
  if (isIndexed) {
    if (match !== null)
      sources.push({ size: 0, read: (from, to, direction, limit) => words(match, from, to, direction, limit) });
    for (const term of sought.terms) {
      const id = ids.get(termKey(term));
      sources.push({
        size: 0,
        read: async (from, to, direction, limit) =>
          id === undefined
            ? []
            : numbers(await sql.all(direction === "older" ? POSTINGS_OLDER : POSTINGS_NEWER, id, from, to, limit)),
      });
    }
  }
  async function words(expression: string, from: number, to: number, direction: Direction, limit: number) {
    return numbers(await sql.all(direction === "older" ? WORDS_OLDER : WORDS_NEWER, expression, from, to, limit));
  }
  const [only] = sources;
  const isChoice = measure || sources.length > 1 || sought.from !== null || sought.to !== null;
  const rarest = isNothing
    ? nothing
    : isChoice
      ? await chooseSource(ctx, { sources, sought, low, high, events })
      : (only ?? events);

  async function check(seqs: readonly number[]): Promise<IndexedRow[]> {
    const rows = await sql.all(ROWS_OF, JSON.stringify(seqs));
    const fitting = rows.filter((row) => fits(row, sought));
    if (sought.q === null) return fitting;
    if (match === null) return [];
    if (!isIndexed) return fitting.filter((row) => holdsWords(row, sought.q ?? ""));
    const held = await eventsWithWords(
      sql,
      fitting.map(({ seq }) => seq),
      match,
    );
    return fitting.filter(({ seq }) => held.has(seq));
  }

  async function find(span: { low: number; high: number }, direction: Direction, limit: number): Promise<Found> {
    const order = direction === "older" ? -1 : 1;
    const rows: IndexedRow[] = [];
    let from = Math.max(low, span.low);
    let to = Math.min(high, span.high);
    let chunk = Math.min(CHUNK, limit);
    for (let looked = 0; looked < MAX_EXAMINED && from <= to; looked += chunk, chunk = CHUNK) {
      const seqs = await rarest.read(from, to, direction, chunk);
      rows.push(...(await check(seqs)).sort((a, b) => (a.seq - b.seq) * order));
      const last = seqs.at(-1);
      if (last === undefined || seqs.length < chunk) return { rows: rows.slice(0, limit), reached: null };
      if (rows.length >= limit) return { rows: rows.slice(0, limit), reached: last };
      if (direction === "older") to = last - 1;
      else from = last + 1;
    }
    const reached = from > to ? null : direction === "older" ? to + 1 : from - 1;
    return { rows: rows.slice(0, limit), reached };
  }

  return { low, high, size: rarest.size, find, check };
}

const nothing: Source = { size: 0, read: () => Promise.resolve([]) };

type Choice = { sources: Source[]; sought: EventQuery; low: number; high: number; events: Source };

async function chooseSource(ctx: Ctx, { sources, sought, low, high, events }: Choice): Promise<Source> {
  const sized: Source[] = [];
  for (const source of sources) {
    const { length } = await source.read(low, high, "older", MAX_EXAMINED + 1);
    // Above the limit all terms count as equally frequent, and as better than examining every event.
    sized.push({ ...source, size: length });
  }
  // Few events in a short time; their numbers need not be adjacent, since the clock may have been set.
  const seqs = await eventsOf(ctx, sought, MAX_EXAMINED + 1);
  if (seqs !== null && seqs.length <= MAX_EXAMINED) sized.push(listed(seqs.sort((a, b) => a - b)));
  return sized.reduce(
    (best, source) => (source.size < best.size ? source : best),
    sized.length > 0 && events.size > MAX_EXAMINED ? { ...events, size: Number.POSITIVE_INFINITY } : events,
  );
}

/** Up to `limit` events of the requested time, unordered; null without a time. */
async function eventsOf(ctx: Ctx, { from, to }: EventQuery, limit: number): Promise<number[] | null> {
  const sql = sqlOf(ctx);
  if (from !== null && to !== null) return numbers(await sql.all(EVENTS_AT, from, to, limit));
  if (from !== null) return numbers(await sql.all(EVENTS_FROM, from, limit));
  return to === null ? null : numbers(await sql.all(EVENTS_TO, to, limit));
}

function listed(seqs: readonly number[]): Source {
  return {
    size: seqs.length,
    read: async (low, high, direction, limit) => {
      const inside = seqs.filter((seq) => seq >= low && seq <= high);
      return direction === "older" ? inside.reverse().slice(0, limit) : inside.slice(0, limit);
    },
  };
}

async function spanOf(
  ctx: Ctx,
  { from, to }: EventQuery,
  all: number | undefined,
): Promise<{ low: number; high: number }> {
  if ((from === null && to === null) || all === undefined) {
    const ends = await sqlOf(ctx).get(ENDS);
    return { low: ends?.low ?? 1, high: ends?.high ?? 0 };
  }
  const hours = [from === null ? "" : hourOf(from), to === null ? "~" : hourOf(to)] as const;
  const span = await sqlOf(ctx).get(HOURS_SPAN, all, ...hours);
  return { low: span?.low ?? 1, high: span?.high ?? 0 };
}

function fits(row: IndexedRow, { terms, from, to }: EventQuery): boolean {
  if (from !== null && row.at < from) return false;
  if (to !== null && row.at > to) return false;
  if (terms.length === 0) return true;
  const has = new Set(termsOf(row).map(termKey));
  return terms.every((term) => has.has(termKey(term)));
}

/** Plain text search for words while the index is incomplete. */
function holdsWords({ actorName, summary }: IndexedRow, q: string): boolean {
  const text = `${actorName} ${summary}`.toLowerCase();
  return (q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => text.includes(word));
}

function numbers(rows: readonly { seq: number }[]): number[] {
  return rows.map(({ seq }) => seq);
}
