import type { UrlPatch } from "@/components/state/use-url-params";
import { formatDuration } from "@/components/ui/format-time";
import { stateLooks } from "@/components/ui/state-chip";
import type { RunFilters } from "@/lib/client/runs";
import type { RunState, RunSummary } from "@/lib/runner/schema";
import { type BucketSpan, ChartFrame } from "./chart-frame";
import { spanLabel } from "./chart-window";
import { type ChartScale, chartScale, stateFills, stateOrder } from "./run-charts";

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
  const labelOf = ([start, end]: BucketSpan) => spanLabel(timeOf(start), timeOf(end), now);
  const most = Math.max(1, ...buckets.map(({ states }) => sumOf(states)));
  const durations = buckets.flatMap(({ p95Ms }) => (p95Ms === null ? [] : [p95Ms]));
  const longest = Math.max(0, ...durations);
  const scale = chartScale(durations);
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
    from: spanLabel(begin, begin, now).split(" to ")[0] ?? "",
    to: "now",
  };
  return (
    <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
      <ChartFrame
        {...shared}
        title="Runs by state"
        description={`${stateCountsText(summary.states)}. A data table follows.`}
        labelFor={(span) => `${labelOf(span)}, ${stateCountsText(statesIn(buckets, span))}`}
        top={most === 1 && summary.total === 0 ? "" : String(most)}
      >
        <StateBars buckets={buckets} most={most} state={state} />
      </ChartFrame>
      <div className="min-w-0 max-md:hidden">
        <ChartFrame
          {...shared}
          title="Duration, median and 95th percentile"
          description={hasDurations ? `At most ${formatDuration(longest)}. A data table follows.` : "No finished runs."}
          labelFor={(span) => `${labelOf(span)}, ${durationText(buckets, span)}`}
          top={hasDurations ? formatDuration(scale.top) : ""}
          legend={hasDurations ? durationLegend(scale) : []}
        >
          <DurationLines buckets={buckets} scale={scale} />
        </ChartFrame>
      </div>
      <ChartTable buckets={buckets} spanOf={(index) => labelOf([index, index + 1])} />
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

/** Percentiles of several buckets cannot be combined, so their range is given. */
function durationText(buckets: RunSummary["buckets"], [start, end]: BucketSpan): string {
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

type StateBarsProps = { buckets: RunSummary["buckets"]; most: number; state: RunState | null };

/** Stacked bars, one per bucket; states outside the filter are faint. */
function StateBars({ buckets, most, state: asked }: StateBarsProps) {
  return buckets.map((bucket, index) => {
    let base = 0;
    return (
      <g key={bucket.from}>
        {stateOrder.map((state) => {
          const count = bucket.states[state] ?? 0;
          if (count === 0) return null;
          const height = (count / most) * 88;
          base += height;
          return (
            <rect
              key={state}
              x={index + 0.1}
              y={100 - base}
              width={0.8}
              height={height}
              className={stateFills[stateLooks[state].tone].fill}
              opacity={asked === null || asked === state ? 1 : 0.25}
            />
          );
        })}
      </g>
    );
  });
}

type ChartTableProps = { buckets: RunSummary["buckets"]; spanOf: (index: number) => string };

function ChartTable({ buckets, spanOf }: ChartTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>Runs over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Runs</th>
            <th scope="col">Median duration</th>
            <th scope="col">95th percentile</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, index) =>
            Object.keys(bucket.states).length === 0 ? null : (
              <tr key={bucket.from}>
                <th scope="row">{spanOf(index)}</th>
                <td>{stateCountsText(bucket.states)}</td>
                <td>{bucket.p50Ms === null ? "–" : formatDuration(bucket.p50Ms)}</td>
                <td>{bucket.p95Ms === null ? "–" : formatDuration(bucket.p95Ms)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function durationLegend({ beyond }: ChartScale): { label: string; box: string }[] {
  return [
    { label: "Median", box: "bg-primary" },
    { label: "95th percentile", box: "bg-muted-foreground/60" },
    ...(beyond === null ? [] : [{ label: `Above the scale, up to ${formatDuration(beyond)}`, box: "bg-warning-mark" }]),
  ];
}

type DurationLinesProps = { buckets: RunSummary["buckets"]; scale: ChartScale };
type Key = "p50Ms" | "p95Ms";

/** The median as a line, the 95th percentile as a fainter line; an isolated bucket and what is above the scale are dots. */
function DurationLines({ buckets, scale }: DurationLinesProps) {
  const above = buckets.map(({ p95Ms }, index) => ((p95Ms ?? 0) > scale.top ? `M${index + 0.5} 4h0` : "")).join("");
  return (
    <>
      <Line path={pathOf(buckets, "p95Ms", scale.top)} className="stroke-muted-foreground/60" />
      <Line path={dotsOf(buckets, "p95Ms", scale.top)} width={5} className="stroke-muted-foreground/60" />
      <Line path={pathOf(buckets, "p50Ms", scale.top)} className="stroke-primary" />
      <Line path={dotsOf(buckets, "p50Ms", scale.top)} width={5} className="stroke-primary" />
      {above === "" ? null : <Line path={above} width={6} className="stroke-warning-mark" />}
    </>
  );
}

function Line({ path, className, width = 2 }: { path: string; className: string; width?: number }) {
  return (
    <path
      d={path}
      fill="none"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
      className={className}
    />
  );
}

function pathOf(buckets: RunSummary["buckets"], key: Key, top: number): string {
  let isOpen = false;
  return buckets
    .map((bucket, index) => {
      const value = bucket[key];
      if (value === null) {
        isOpen = false;
        return "";
      }
      const command = `${isOpen ? "L" : "M"}${pointOf(index, value, top)}`;
      isOpen = true;
      return command;
    })
    .join("");
}

/** Buckets without a neighbour, which a line would not show. */
function dotsOf(buckets: RunSummary["buckets"], key: Key, top: number): string {
  const valueAt = (index: number) => buckets[index]?.[key] ?? null;
  return buckets
    .map(({ [key]: value }, index) =>
      value === null || valueAt(index - 1) !== null || valueAt(index + 1) !== null
        ? ""
        : `M${pointOf(index, value, top)}h0`,
    )
    .join("");
}

function pointOf(index: number, value: number, top: number): string {
  return `${index + 0.5} ${(100 - (Math.min(value, top) / top) * 88).toFixed(2)}`;
}

/** "12 runs: 10 succeeded, 2 failed". */
function stateCountsText(states: RunSummary["states"]): string {
  const total = stateOrder.reduce((sum, state) => sum + (states[state] ?? 0), 0);
  if (total === 0) return "no runs";
  const parts = stateOrder.flatMap((state) => {
    const count = states[state] ?? 0;
    return count === 0 ? [] : [`${count} ${stateLooks[state].label.toLowerCase()}`];
  });
  return `${total} ${total === 1 ? "run" : "runs"}: ${parts.join(", ")}`;
}
