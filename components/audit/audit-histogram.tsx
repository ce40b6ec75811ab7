"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { type BucketSpan, ChartFrame } from "@/components/runs/list/chart-frame";
import { spanLabel } from "@/components/runs/list/chart-window";
import { QueryState } from "@/components/state/query-state";
import { useNow } from "@/components/state/use-now";
import type { UrlPatch } from "@/components/state/use-url-params";
import { IconButton } from "@/components/ui/icon-button";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import type { AuditLaneKind, AuditHistogram as Histogram } from "@/lib/audit/schema";
import { type AuditFilters, auditHistogramQuery } from "@/lib/client/audit";
import { AuditLanes } from "./audit-lanes";

type HistogramTableProps = { histogram: Histogram; spanOf: (index: number) => string };

const MIN_WINDOW_MS = 10_000;

/** Times in ms since 1970; `to` is exclusive. */
type TimeWindow = { from: number; to: number };

type AuditHistogramProps = {
  filters: AuditFilters;
  lanes: AuditLaneKind | null;
  onChange: (patch: UrlPatch) => void;
};

const laneOptions = [
  { value: "none", label: "All" },
  { value: "actor", label: "By actor" },
  { value: "tool", label: "By tool" },
] as const;

export function AuditHistogram({ filters, lanes, onChange }: AuditHistogramProps) {
  const { from: _from, to: _to, ...others } = filters;
  const query = useQuery(auditHistogramQuery(filters, lanes));
  const whole = useQuery(auditHistogramQuery(others, null, 10));
  const isZoomed = Boolean(filters.from ?? filters.to);
  const shown = query.data && shownWindow(query.data, filters);
  const all = whole.data ? { from: Date.parse(whole.data.from), to: Date.parse(whole.data.to) } : shown;
  const go = (window: TimeWindow | null) => onChange({ ...windowPatch(window), around: null });
  const zoom = (factor: number, at?: number) =>
    shown && all && go(zoomWindow(shown, all, { factor, at: at ?? (shown.from + shown.to) / 2 }));
  const move = (direction: -1 | 1) => shown && all && isZoomed && go(moveWindow(shown, all, direction));

  return (
    <section aria-label="Events over time" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SegmentedControl
          label="Lanes"
          value={lanes ?? "none"}
          onValueChange={(value) => onChange({ lanes: value === "none" ? null : value })}
          options={laneOptions}
        />
        <span className="flex-1 text-13 text-muted-foreground max-md:order-last max-md:w-full max-md:flex-none">
          {query.data ? <Total histogram={query.data} /> : null}
        </span>
        <span className="flex items-center">
          <IconButton label="Earlier" disabled={!isZoomed} onClick={() => move(-1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label="Later" disabled={!isZoomed} onClick={() => move(1)}>
            <ChevronRight aria-hidden />
          </IconButton>
          <IconButton label="Zoom in" onClick={() => zoom(0.5)}>
            <ZoomIn aria-hidden />
          </IconButton>
          <IconButton label="Zoom out" disabled={!isZoomed} onClick={() => zoom(2)}>
            <ZoomOut aria-hidden />
          </IconButton>
          <IconButton label="Show all time" disabled={!isZoomed} onClick={() => go(null)}>
            <Maximize2 aria-hidden />
          </IconButton>
        </span>
      </div>
      <QueryState
        query={query}
        errorTitle="The chart could not be loaded."
        loading={<Skeleton className="h-38 w-full" />}
      >
        {(histogram) => (
          <>
            <Chart histogram={histogram} onGo={go} onZoom={zoom} onMove={move} />
            {lanes === null ? null : <AuditLanes histogram={histogram} kind={lanes} onChange={onChange} />}
          </>
        )}
      </QueryState>
    </section>
  );
}

function Total({ histogram: { total, exact } }: { histogram: Histogram }) {
  const words = `${total.toLocaleString("en-GB")} ${total === 1 ? "event" : "events"}`;
  return exact ? words : <span title="Estimated from a sample">about {words}</span>;
}

type ChartProps = {
  histogram: Histogram;
  onGo: (window: TimeWindow | null) => void;
  onZoom: (factor: number, at?: number) => void;
  onMove: (direction: -1 | 1) => void;
};

function Chart({ histogram, onGo, onZoom, onMove }: ChartProps) {
  const now = useNow() ?? Date.now();
  const { counts, bad, stepMs } = histogram;
  const begin = Date.parse(histogram.from);
  const timeOf = (bucket: number) => begin + bucket * stepMs;
  const words = ([start, end]: BucketSpan) => spanText(timeOf(start), timeOf(end), now);
  const most = Math.max(1, ...counts);
  const onKey = (key: string, bucket: number) => {
    const at = timeOf(bucket + 0.5);
    if (key === "+" || key === "=") onZoom(0.5, at);
    else if (key === "-") onZoom(2, at);
    else if (key === "PageUp") onMove(-1);
    else if (key === "PageDown") onMove(1);
    else if (key === "Escape") onGo(null);
    else return false;
    return true;
  };
  return (
    <div className="relative">
      <ChartFrame
        title="Events"
        description={`${histogram.total} events in ${words([0, counts.length])}. A table with the figures follows.`}
        count={counts.length}
        labelFor={(span) => `${words(span)}, ${describeCount(histogram, span)}`}
        chosen={null}
        onChoose={(span) => span && onGo({ from: timeOf(span[0]), to: timeOf(span[1]) })}
        onKey={onKey}
        top={histogram.total === 0 ? "" : most.toLocaleString("en-GB")}
        from={spanText(begin, begin, now)}
        to={spanText(timeOf(counts.length), timeOf(counts.length), now)}
      >
        {counts.map((count, index) =>
          count === 0 ? null : (
            <Bar
              key={timeOf(index)}
              index={index}
              good={(count - (bad[index] ?? 0)) / most}
              bad={(bad[index] ?? 0) / most}
            />
          ),
        )}
      </ChartFrame>
      <HistogramTable histogram={histogram} spanOf={(index) => words([index, index + 1])} />
    </div>
  );
}

function Bar({ index, good, bad }: { index: number; good: number; bad: number }) {
  const [goodHeight, badHeight] = [good * 88, bad * 88];
  return (
    <>
      <rect x={index + 0.1} y={100 - goodHeight} width={0.8} height={goodHeight} className="fill-muted-foreground/60" />
      <rect
        x={index + 0.1}
        y={100 - goodHeight - badHeight}
        width={0.8}
        height={badHeight}
        className="fill-danger-mark"
      />
    </>
  );
}

function describeCount({ counts, bad, exact }: Histogram, [start, end]: BucketSpan): string {
  const sum = (numbers: readonly number[]) => numbers.slice(start, end).reduce((total, count) => total + count, 0);
  const [events, badEvents] = [sum(counts), sum(bad)];
  const text = `${exact ? "" : "about "}${events.toLocaleString("en-GB")} ${events === 1 ? "event" : "events"}`;
  return badEvents === 0 ? text : `${text}, ${badEvents.toLocaleString("en-GB")} refused or failed`;
}

function spanText(from: number, to: number, now: number): string {
  const isShort = to > from && to - from < 60_000;
  if (!isShort) return from === to ? (spanLabel(from, to, now).split(" to ")[0] ?? "") : spanLabel(from, to, now);
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
  return `${clock.format(from)} to ${clock.format(to)}`;
}

/** The requested range; whole buckets may extend beyond it. */
function shownWindow(histogram: Histogram, filters: AuditFilters): TimeWindow {
  const from = filters.from ? Date.parse(filters.from) : Date.parse(histogram.from);
  return { from, to: filters.to ? Date.parse(filters.to) + 1 : Math.max(from + 1, Date.parse(histogram.to)) };
}

/**
 * Narrows (`factor` < 1) or widens a range around a time that keeps its relative position, down to ten seconds; null
 * when the result would cover everything.
 */
export function zoomWindow(
  shown: TimeWindow,
  all: TimeWindow,
  { factor, at }: { factor: number; at: number },
): TimeWindow | null {
  const length = Math.max(MIN_WINDOW_MS, (shown.to - shown.from) * factor);
  if (length >= all.to - all.from) return null;
  const share = (at - shown.from) / (shown.to - shown.from);
  return within({ from: at - length * share, to: at + length * (1 - share) }, all);
}

/** Moves the range by half its length to earlier (-1) or later (1), within `all`. */
export function moveWindow(shown: TimeWindow, all: TimeWindow, direction: -1 | 1): TimeWindow {
  const step = ((shown.to - shown.from) / 2) * direction;
  return within({ from: shown.from + step, to: shown.to + step }, all);
}

function within({ from, to }: TimeWindow, all: TimeWindow): TimeWindow {
  const length = to - from;
  const start = Math.max(all.from, Math.min(from, all.to - length));
  return { from: Math.round(start), to: Math.round(start + length) };
}

/** The range as address parameters, whose end is inclusive. */
export function windowPatch(window: TimeWindow | null): UrlPatch {
  if (window === null) return { from: null, to: null };
  return { from: new Date(window.from).toISOString(), to: new Date(window.to - 1).toISOString() };
}

/** The chart as a table for screen readers, without empty times. */
function HistogramTable({ histogram: { counts, bad }, spanOf }: HistogramTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>Events over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Events</th>
            <th scope="col">Refused or failed</th>
          </tr>
        </thead>
        <tbody>
          {counts.map((count, index) => {
            const span = spanOf(index);
            return count === 0 ? null : (
              <tr key={span}>
                <th scope="row">{span}</th>
                <td>{count}</td>
                <td>{bad[index] ?? 0}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
