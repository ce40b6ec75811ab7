import { findTerms, type IndexTerm, termKey } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { hourOf, indexEvents } from "./index/index-events";
import { type EventQuery, MAX_EXAMINED, type Search, searchEvents } from "./index/search-events";
import { type IndexedRow, isCounted } from "./index/terms-of";
import { nameActors, searchQueryOf } from "./present-event";
import type { AuditHistogram, AuditHistogramQuery, AuditLaneKind } from "./schema";

const SAMPLE = 4_000;

type Counted = { at: number; events: number; bad: number; lane: string | null };

type Counts = { exact: boolean; counted: Counted[] };

export const HOURS = query<{ hour: string; events: number; bad: number }>(
  `SELECT "hour", "events", "bad" FROM "AuditHour" WHERE "termId" = ? AND "hour" >= ? AND "hour" < ?`,
);

const LANE_HOURS = query<{ hour: string; events: number; lane: string }>(
  `SELECT h."hour", h."events", t."value" AS "lane" FROM "AuditTerm" t
   JOIN "AuditHour" h ON h."termId" = t."id" AND h."hour" >= ? AND h."hour" < ? WHERE t."kind" = ?`,
);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 5, 15, 30].map((count) => count * SECOND),
  ...[1, 5, 15, 30].map((count) => count * MINUTE),
  ...[1, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 60].map((count) => count * DAY),
];
const MAX_SPAN = 3_650 * DAY;
const LANES_BY_HOUR = 93 * DAY;
const MAX_LANES = 60;

/**
 * Events over time in at most `buckets` buckets of a round length; by default from the first event to now, at most ten years.
 * Exact with at most one filter and buckets of whole hours, or when at most 10,000 events can match; else estimated from
 * 4,000 evenly spread events, with `exact` false. The cost does not grow with the number of events.
 */
export async function readHistogram(ctx: Ctx, query: AuditHistogramQuery): Promise<AuditHistogram> {
  const sought = searchQueryOf(requireScope(ctx.actor, "read"), query);
  const isIndexed = await indexEvents(ctx);
  const now = ctx.now().getTime();
  const end = sought.to?.getTime() ?? now;
  const first = sought.from?.getTime() ?? (await firstOf(ctx, sought)) ?? Math.min(end, now) - DAY;
  // Too long a range ends now, so that an end far in the future hides no events.
  const to = end - first > MAX_SPAN ? Math.max(Math.min(end, now), first) : end;
  const buckets = bucketsFor(Math.max(Math.min(first, to - 1), to - MAX_SPAN), to, query.buckets);
  const counts = first > to ? NOTHING : await count(ctx, { sought, buckets, lanes: query.lanes, isIndexed });
  return { ...(await fill(ctx, counts, buckets, query.lanes)), exact: counts.exact };
}

const NOTHING: Counts = { exact: true, counted: [] };
type Asked = { sought: EventQuery; buckets: Buckets; lanes: AuditHistogramQuery["lanes"]; isIndexed: boolean };

function count(ctx: Ctx, { sought, buckets, lanes, isIndexed }: Asked): Promise<Counts> {
  const [term = ["all", ""] as const, ...others] = sought.terms;
  const isWhole = buckets.stepMs >= HOUR && sought.q === null && others.length === 0 && isCounted(term[0]);
  const hasLanes = lanes === undefined || (term[0] === "all" && buckets.stepMs * buckets.count <= LANES_BY_HOUR);
  if (isIndexed && isWhole && hasLanes) return countHours(ctx, term, buckets, lanes);
  const from = new Date(buckets.from);
  const to = new Date(buckets.from + buckets.stepMs * buckets.count - 1);
  return countEach(ctx, { ...sought, from, to }, lanes);
}

async function fill(ctx: Ctx, { counted }: Counts, { from, stepMs, count }: Buckets, lanes: Asked["lanes"]) {
  const zeros = () => new Array<number>(count).fill(0);
  const [counts, bad] = [zeros(), zeros()];
  const byLane = new Map<string, number[]>();
  for (const { at, events, bad: badEvents, lane } of counted) {
    const place = Math.floor((at - from) / stepMs);
    if (place < 0 || place >= count) continue;
    if (lane === null) {
      counts[place] = (counts[place] ?? 0) + events;
      bad[place] = (bad[place] ?? 0) + badEvents;
    } else {
      const of = byLane.get(lane) ?? zeros();
      of[place] = (of[place] ?? 0) + events;
      byLane.set(lane, of);
    }
  }
  const ranked = [...byLane].map(([key, of]) => ({ key, total: sum(of), counts: of.map(Math.round) }));
  ranked.sort((a, b) => b.total - a.total || a.key.localeCompare(b.key));
  const shown = ranked.slice(0, MAX_LANES);
  const names =
    lanes === "actor"
      ? await nameActors(
          ctx,
          shown.map(({ key }) => key),
        )
      : new Map<string, string>();
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + stepMs * count).toISOString(),
    stepMs,
    total: Math.round(sum(counts)),
    counts: counts.map(Math.round),
    bad: bad.map(Math.round),
    lanes: shown.map((lane) => ({ ...lane, name: names.get(lane.key) ?? lane.key, total: Math.round(lane.total) })),
    moreLanes: ranked.length - shown.length,
  };
}

async function firstOf(ctx: Ctx, { terms }: EventQuery): Promise<number | null> {
  const own = terms.filter(([kind]) => kind === "sees");
  const search = await searchEvents(ctx, { terms: own, q: null, from: null, to: null });
  const { rows } = await search.find(search, "newer", 1);
  return rows[0]?.at.getTime() ?? null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function countHours(
  ctx: Ctx,
  term: IndexTerm,
  { from, stepMs, count }: Buckets,
  lanes: AuditLaneKind | undefined,
): Promise<Counts> {
  const sql = sqlOf(ctx);
  const id = (await findTerms(sql, [term])).get(termKey(term));
  if (id === undefined) return { exact: true, counted: [] };
  const span = [hourOf(new Date(from)), hourOf(new Date(from + stepMs * count))] as const;
  const hours = await sql.all(HOURS, id, ...span);
  const counted: Counted[] = hours.map(({ hour, ...rest }) => ({ at: timeOf(hour), ...rest, lane: null }));
  if (lanes !== undefined) {
    const ofLanes = await sql.all(LANE_HOURS, ...span, lanes);
    counted.push(...ofLanes.map(({ hour, events, lane }) => ({ at: timeOf(hour), events, bad: 0, lane })));
  }
  return { exact: true, counted };
}

/** Examines every event when at most 10,000 can match, else a sample of 4,000, one of each equal part of the time. */
async function countEach(ctx: Ctx, sought: EventQuery, lanes: AuditLaneKind | undefined): Promise<Counts> {
  const search = await searchEvents(ctx, sought, { measure: true });
  const exact = search.size <= MAX_EXAMINED;
  const { rows, weight } = exact
    ? { rows: (await search.find(search, "older", MAX_EXAMINED)).rows, weight: 1 }
    : await sample(search);
  const counted = rows.flatMap((row): Counted[] => {
    const at = row.at.getTime();
    const whole = { at, events: weight, bad: row.outcome === "ok" ? 0 : weight, lane: null };
    const lane = laneOf(row, lanes);
    return lane === null ? [whole] : [whole, { ...whole, lane }];
  });
  return { exact, counted };
}

async function sample(search: Search): Promise<{ rows: IndexedRow[]; weight: number }> {
  const weight = (search.high - search.low + 1) / SAMPLE;
  const seqs = Array.from({ length: SAMPLE }, (_, index) => search.low + Math.floor((index + jitter(index)) * weight));
  return { rows: await search.check(seqs), weight };
}

/** Deterministic, from 0 to below 1. Events alternate (start, end), so even distances would sample only one kind. */
function jitter(index: number): number {
  const mixed = Math.imul(index ^ (index >>> 7), 0x9e3779b1) ^ 0x5bd1e995;
  return (Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0) / 2 ** 32;
}

function laneOf(row: IndexedRow, lanes: AuditLaneKind | undefined): string | null {
  if (lanes === undefined) return null;
  return lanes === "tool" ? row.tool : (row.actorId ?? row.actorName);
}

function timeOf(hour: string): number {
  return Date.parse(`${hour}:00:00Z`);
}

export type Buckets = { from: number; stepMs: number; count: number };

/** At most `most` buckets of a round length, one second to 60 days, aligned to the length or to a whole hour. */
export function bucketsFor(from: number, to: number, most: number): Buckets {
  for (const stepMs of STEPS) {
    const start = Math.floor(from / Math.min(stepMs, HOUR)) * Math.min(stepMs, HOUR);
    const count = Math.max(1, Math.ceil((to - start) / stepMs));
    if (count <= most) return { from: start, stepMs, count };
  }
  throw new Error("the time is longer than the longest buckets cover");
}
