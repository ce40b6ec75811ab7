import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { RunState, type RunSummary, type RunSummaryQuery } from "@/lib/runner/schema";
import { filterRuns } from "./list-runs";

const DAY_MS = 24 * 60 * 60_000;

type Counted = { bucket: number | bigint; state: string; runs: number | bigint };
type Ranked = { bucket: number | bigint; rank: number | bigint; of: number | bigint; durationMs: number };

/** Numbers per state and durations of runs, by queueing time, in equal parts of a range. Percentiles are nearest-rank. */
export async function summarizeRuns(ctx: Ctx, { buckets, ...filters }: RunSummaryQuery): Promise<RunSummary> {
  const actor = requireScope(ctx.actor, "read");
  const now = ctx.now().getTime();
  const to = new Date(filters.to ?? now);
  const from = new Date(filters.from ?? Math.min(to.getTime(), now) - DAY_MS);
  if (to <= from) throw new AppError("invalid", "The time range is empty: `to` must be later than `from`.");
  const bucketMs = Math.ceil((to.getTime() - from.getTime()) / buckets);
  const starts = Array.from({ length: buckets }, (_, index) => new Date(from.getTime() + index * bucketMs));
  const fits = await filterRuns(ctx, actor, { ...filters, from: from.toISOString(), to: to.toISOString() });
  const seen = Prisma.sql`SELECT ${bucketOf(starts)} AS "bucket", "state", "durationMs" FROM "Run" WHERE ${fits}`;

  const counted = await ctx.db.$queryRaw<Counted[]>`
    SELECT "bucket", "state", COUNT(*) AS "runs" FROM (${seen}) AS "seen" GROUP BY "bucket", "state"`;
  const ranked = await ctx.db.$queryRaw<Ranked[]>`
    SELECT "bucket", "rank", "of", "durationMs" FROM (
      SELECT "bucket", "durationMs",
        ROW_NUMBER() OVER (PARTITION BY "bucket" ORDER BY "durationMs") AS "rank",
        COUNT(*) OVER (PARTITION BY "bucket") AS "of"
      FROM (${seen} AND "durationMs" IS NOT NULL) AS "seen"
    ) AS "ranked" WHERE "rank" = ("of" + 1) / 2 OR "rank" = ("of" * 95 + 99) / 100`;

  const summary: RunSummary = {
    from: from.toISOString(),
    to: to.toISOString(),
    bucketMs,
    total: 0,
    states: {},
    buckets: starts.map((start) => ({ from: start.toISOString(), states: {}, p50Ms: null, p95Ms: null })),
  };
  for (const row of counted) {
    const [state, runs] = [RunState.parse(row.state), Number(row.runs)];
    const bucket = summary.buckets[Number(row.bucket)];
    if (bucket) bucket.states[state] = runs;
    summary.states[state] = (summary.states[state] ?? 0) + runs;
    summary.total += runs;
  }
  for (const row of ranked) {
    const [rank, of] = [Number(row.rank), Number(row.of)];
    const bucket = summary.buckets[Number(row.bucket)];
    if (bucket && rank === Math.floor((of + 1) / 2)) bucket.p50Ms = row.durationMs;
    if (bucket && rank === Math.floor((of * 95 + 99) / 100)) bucket.p95Ms = row.durationMs;
  }
  return summary;
}

/** The index of a run's part: the first whose end is later. It avoids date functions that one of the databases lacks. */
function bucketOf(starts: Date[]): Prisma.Sql {
  if (starts.length === 1) return Prisma.sql`0`;
  const ends = starts
    .slice(1)
    .map((end, index) => Prisma.sql`WHEN "queuedAt" < ${end} THEN ${Prisma.raw(String(index))}`);
  return Prisma.sql`CASE ${Prisma.join(ends, " ")} ELSE ${Prisma.raw(String(starts.length - 1))} END`;
}
