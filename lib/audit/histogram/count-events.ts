import { findTerms, type IndexTerm, termKey } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { hourOf } from "../index/index-events";
import { MOST_LOOKED_AT, type Search, type Sought, searchEvents } from "../index/search-events";
import type { IndexedRow } from "../index/terms-of";
import type { AuditLaneKind } from "../schema";
import type { Buckets } from "./bucket-steps";

const SAMPLE = 4_000;

/** So many events at a time, of an actor or tool when lanes are asked for. */
export type Counted = { at: number; events: number; bad: number; lane: string | null };
export type Counts = { exact: boolean; counted: Counted[] };

export const HOURS = query<{ hour: string; events: number; bad: number }>(
  `SELECT "hour", "events", "bad" FROM "AuditHour" WHERE "termId" = ? AND "hour" >= ? AND "hour" < ?`,
);
const LANE_HOURS = query<{ hour: string; events: number; lane: string }>(
  `SELECT h."hour", h."events", t."value" AS "lane" FROM "AuditTerm" t
   JOIN "AuditHour" h ON h."termId" = t."id" AND h."hour" >= ? AND h."hour" < ? WHERE t."kind" = ?`,
);

/** Adds up what was counted by the hour when the events were indexed. */
export async function countHours(
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

/** Looks at each event when 10,000 at most can fit, else at 4,000, one of each equal part of the time, for many. */
export async function countEach(ctx: Ctx, sought: Sought, lanes: AuditLaneKind | undefined): Promise<Counts> {
  const search = await searchEvents(ctx, sought, { measure: true });
  const exact = search.size <= MOST_LOOKED_AT;
  const { rows, weight } = exact
    ? { rows: (await search.find(search, "older", MOST_LOOKED_AT)).rows, weight: 1 }
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
  const seqs = Array.from(
    { length: SAMPLE },
    (_, index) => search.low + Math.floor((index + scattered(index)) * weight),
  );
  return { rows: await search.check(seqs), weight };
}

/**
 * From 0 to below 1, the same for the same number. Events come in patterns, a start and an end in turn: at even distances
 * the sample would see only one of them.
 */
function scattered(index: number): number {
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
