import type { UrlPatch } from "@/components/state/use-url-params";
import { formatDuration } from "@/components/ui/format-time";
import type { RunFilters, RunState, RunSummary } from "@/lib/client/runs";
import { type BucketSpan, ChartFrame } from "./chart-frame";
import { ChartTable } from "./chart-table";
import { spanWords } from "./chart-window";
import { DurationLines } from "./duration-lines";
import { StateBars } from "./state-bars";
import { countWords } from "./state-order";

type ChartPairProps = {
  summary: RunSummary;
  state: RunState | null;
  filters: RunFilters;
  now: number;
  onChange: (patch: UrlPatch) => void;
};

export function ChartPair({ summary, state, filters, now, onChange }: ChartPairProps) {
  const { buckets, bucketMs } = summary;
  const begin = Date.parse(summary.from);
  const timeOf = (bucket: number) => begin + bucket * bucketMs;
  const words = ([start, end]: BucketSpan) => spanWords(timeOf(start), timeOf(end), now);
  const most = Math.max(1, ...buckets.map(({ states }) => sumOf(states)));
  const longest = Math.max(1, ...buckets.map(({ p95Ms }) => p95Ms ?? 0));
  const hasDurations = buckets.some(({ p50Ms }) => p50Ms !== null);
  const shared = {
    count: buckets.length,
    chosen: chosenSpan(filters, begin, summary),
    onChoose: (span: BucketSpan | null) =>
      onChange(
        span
          ? { from: new Date(timeOf(span[0])).toISOString(), to: new Date(timeOf(span[1])).toISOString() }
          : { from: null, to: null },
      ),
    from: spanWords(begin, begin, now).split(" to ")[0] ?? "",
    to: "now",
  };
  return (
    <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
      <ChartFrame
        {...shared}
        title="Runs by state"
        description={`${countWords(summary.states)}. A table with the figures follows.`}
        wordsFor={(span) => `${words(span)}, ${countWords(statesIn(buckets, span))}`}
        top={most === 1 && summary.total === 0 ? "" : String(most)}
      >
        <StateBars buckets={buckets} most={most} state={state} />
      </ChartFrame>
      <ChartFrame
        {...shared}
        title="Duration, median and 95th percentile"
        description={
          hasDurations ? `At most ${formatDuration(longest)}. A table with the figures follows.` : "No run has ended."
        }
        wordsFor={(span) => `${words(span)}, ${durationWords(buckets, span)}`}
        top={hasDurations ? formatDuration(longest) : ""}
      >
        <DurationLines buckets={buckets} longest={longest} />
      </ChartFrame>
      <ChartTable buckets={buckets} spanOf={(index) => words([index, index + 1])} />
    </div>
  );
}

function sumOf(states: RunSummary["states"]): number {
  return Object.values(states).reduce((sum, count) => sum + count, 0);
}

function statesIn(buckets: RunSummary["buckets"], [start, end]: BucketSpan): RunSummary["states"] {
  const sums: RunSummary["states"] = {};
  for (const { states } of buckets.slice(start, end)) {
    for (const [state, count] of Object.entries(states) as [RunState, number][])
      sums[state] = (sums[state] ?? 0) + count;
  }
  return sums;
}

/** Percentiles of several buckets do not add up to one of all; their range is true. */
function durationWords(buckets: RunSummary["buckets"], [start, end]: BucketSpan): string {
  const inside = buckets.slice(start, end).filter(({ p50Ms }) => p50Ms !== null);
  const [first] = inside;
  if (!first) return "no durations";
  if (inside.length === 1) {
    return `median ${formatDuration(first.p50Ms ?? 0)}, 95th percentile ${formatDuration(first.p95Ms ?? 0)}`;
  }
  const medians = inside.map(({ p50Ms }) => p50Ms ?? 0);
  return `medians from ${formatDuration(Math.min(...medians))} to ${formatDuration(Math.max(...medians))}`;
}

function chosenSpan({ from, to }: RunFilters, begin: number, { bucketMs, buckets }: RunSummary): BucketSpan | null {
  if (!from && !to) return null;
  const place = (time: string | undefined, fallback: number) =>
    time === undefined ? fallback : (Date.parse(time) - begin) / bucketMs;
  const start = Math.max(0, place(from, 0));
  const end = Math.min(buckets.length, place(to, buckets.length));
  return end > start ? [start, end] : null;
}
