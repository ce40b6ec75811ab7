"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import type { UrlPatch } from "@/components/state/use-url-params";
import type { AuditHistogram, AuditLaneKind } from "@/lib/audit/schema";

type AuditLanesProps = { histogram: AuditHistogram; kind: AuditLaneKind; onChange: (patch: UrlPatch) => void };

const laneHeight = 28;
const maxRadius = 9;

/** One lane for each actor or tool; the size of a dot shows the number of events. */
export function AuditLanes({ histogram, kind, onChange }: AuditLanesProps) {
  const { lanes, moreLanes } = histogram;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => box.current,
    estimateSize: () => laneHeight,
    overscan: 4,
    initialRect: { width: 800, height: 320 },
  });
  const most = Math.max(1, ...lanes.flatMap(({ counts }) => counts));
  const noun = kind === "actor" ? "actor" : "tool";
  if (lanes.length === 0) return <p className="text-13 text-muted-foreground">No {noun} in this time range</p>;
  return (
    <div>
      <div ref={box} className="max-h-80 overflow-y-auto rounded-md border">
        <ul aria-label={`Events by ${noun}`} className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const lane = lanes[index];
            return lane ? (
              <li
                key={lane.key}
                className="absolute inset-x-0 top-0 flex items-center gap-3 pr-3 even:bg-muted/40"
                style={{ height: laneHeight, transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  title={`Only ${lane.name}`}
                  aria-label={`Only ${lane.name}, ${lane.total} events`}
                  onClick={() => onChange({ [kind]: lane.key })}
                  className="flex h-full w-36 shrink-0 items-center gap-2 px-3 text-left text-13 hover:underline focus-visible:-outline-offset-2 md:w-52"
                >
                  <span className="min-w-0 flex-1 truncate">{lane.name}</span>
                  <span className="text-muted-foreground text-xs tabular-nums">
                    {lane.total.toLocaleString("en-GB")}
                  </span>
                </button>
                <Dots counts={lane.counts} most={most} />
              </li>
            ) : null;
          })}
        </ul>
      </div>
      {moreLanes > 0 ? (
        <p className="mt-1 text-muted-foreground text-xs">
          Only the {lanes.length} with the most events are shown; {moreLanes} are left out.
        </p>
      ) : null}
      <LaneTable histogram={histogram} noun={noun} />
    </div>
  );
}

function Dots({ counts, most }: { counts: readonly number[]; most: number }) {
  return (
    <svg aria-hidden className="mx-1 h-full min-w-0 flex-1 overflow-visible">
      <line x1="0" x2="100%" y1="50%" y2="50%" className="stroke-border" />
      {counts.map((count, index) =>
        count === 0 ? null : (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: dots never move
            key={index}
            cx={`${((index + 0.5) / counts.length) * 100}%`}
            cy="50%"
            r={2 + Math.sqrt(count / most) * (maxRadius - 2)}
            className="fill-primary/70"
          />
        ),
      )}
    </svg>
  );
}

function LaneTable({ histogram, noun }: { histogram: AuditHistogram; noun: string }) {
  const { lanes, stepMs } = histogram;
  const begin = Date.parse(histogram.from);
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const timeOf = (index: number) => day.format(begin + index * stepMs);
  return (
    <div className="sr-only">
      <table>
        <caption>Events by {noun}</caption>
        <thead>
          <tr>
            <th scope="col">{noun === "actor" ? "Actor" : "Tool"}</th>
            <th scope="col">Events</th>
            <th scope="col">First</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ key, name, total, counts }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{total}</td>
              <td>{timeOf(counts.findIndex((count) => count > 0))}</td>
              <td>{timeOf(counts.findLastIndex((count) => count > 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
