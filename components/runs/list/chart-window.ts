import type { RunWindow } from "@/lib/client/runs";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const chartRanges = {
  "1h": { label: "1 h", text: "the last hour", buckets: 60, bucketMs: MINUTE_MS, refreshMs: 5_000 },
  "24h": { label: "24 h", text: "the last 24 hours", buckets: 48, bucketMs: HOUR_MS / 2, refreshMs: 10_000 },
  "7d": { label: "7 days", text: "the last 7 days", buckets: 84, bucketMs: 2 * HOUR_MS, refreshMs: 60_000 },
} as const;
export type ChartRange = keyof typeof chartRanges;

export function readChartRange(value: string | null): ChartRange {
  return value !== null && Object.hasOwn(chartRanges, value) ? (value as ChartRange) : "24h";
}

/** Ends with the current bucket, so that bars move only when a new bucket begins. */
export function windowAt(range: ChartRange, now: number): RunWindow {
  const { buckets, bucketMs } = chartRanges[range];
  const to = (Math.floor(now / bucketMs) + 1) * bucketMs;
  return { from: new Date(to - buckets * bucketMs).toISOString(), to: new Date(to).toISOString(), buckets };
}

/** "14:00 to 14:30" in the browser's time zone, with the date unless it is today. */
export function spanLabel(from: number, to: number, now: number): string {
  const day = (time: number) => new Date(time).toDateString();
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
  const dated = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const start = (day(from) === day(now) ? clock : dated).format(from);
  return `${start} to ${(day(from) === day(to) ? clock : dated).format(to)}`;
}
