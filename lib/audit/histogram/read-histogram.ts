import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { indexEvents } from "../index/index-events";
import { type Sought, searchEvents } from "../index/search-events";
import { isCounted } from "../index/terms-of";
import { nameActors } from "../name-actors";
import type { AuditHistogram, AuditHistogramQuery } from "../schema";
import { soughtBy } from "../sought";
import { type Buckets, bucketsFor, HOUR } from "./bucket-steps";
import { type Counts, countEach, countHours } from "./count-events";

const DAY = 24 * HOUR;
const LONGEST = 3_650 * DAY;
const LANES_BY_HOUR = 93 * DAY;
const MOST_LANES = 60;

/**
 * Events over time, in at most `buckets` parts of a round length; from the first event to now when no time is named, ten
 * years at most. Exact when one filter or none is set and the parts are whole hours, and whenever 10,000 events at most can
 * fit; else estimated from 4,000 events that lie evenly over the time, and `exact` is false. Either way the work does not
 * grow with the number of events.
 */
export async function readHistogram(ctx: Ctx, query: AuditHistogramQuery): Promise<AuditHistogram> {
  const sought = soughtBy(requireScope(ctx.actor, "read"), query);
  const isIndexed = await indexEvents(ctx);
  const now = ctx.now().getTime();
  const end = sought.to?.getTime() ?? now;
  const first = sought.from?.getTime() ?? (await firstOf(ctx, sought)) ?? Math.min(end, now) - DAY;
  // What is too long ends now, so that what lies far ahead, as an open end is written too, hides nothing.
  const to = end - first > LONGEST ? Math.max(Math.min(end, now), first) : end;
  const buckets = bucketsFor(Math.max(Math.min(first, to - 1), to - LONGEST), to, query.buckets);
  const counts = first > to ? NOTHING : await count(ctx, { sought, buckets, lanes: query.lanes, isIndexed });
  return { ...(await fill(ctx, counts, buckets, query.lanes)), exact: counts.exact };
}

const NOTHING: Counts = { exact: true, counted: [] };
type Asked = { sought: Sought; buckets: Buckets; lanes: AuditHistogramQuery["lanes"]; isIndexed: boolean };

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
  const shown = ranked.slice(0, MOST_LANES);
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

async function firstOf(ctx: Ctx, { terms }: Sought): Promise<number | null> {
  const own = terms.filter(([kind]) => kind === "sees");
  const search = await searchEvents(ctx, { terms: own, q: null, from: null, to: null });
  const { rows } = await search.find(search, "newer", 1);
  return rows[0]?.at.getTime() ?? null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
