"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  Ban,
  Blocks,
  ClipboardCheck,
  Cpu,
  FileDiff,
  KeyRound,
  type LucideIcon,
  Play,
  Settings,
  ShieldAlert,
  UserRound,
  VenetianMask,
} from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useRowKeys } from "@/components/lists/use-row-keys";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { formatExactTime } from "@/components/ui/format-time";
import type { AuditEvent } from "@/lib/audit/schema";
import { groupByDay } from "./group-by-day";

const icons: Record<string, LucideIcon> = {
  run: Play,
  version: FileDiff,
  skill: Blocks,
  review: ClipboardCheck,
  token: KeyRound,
  session: UserRound,
  user: UserRound,
  setup: UserRound,
  sign_in: ShieldAlert,
  persona: VenetianMask,
  worker: Cpu,
  settings: Settings,
  request: Ban,
};

type AuditRowProps = {
  event: AuditEvent;
  index: number;
  isActive: boolean;
  isMarked: boolean;
  onOpen: () => void;
};

type AuditTimelineProps = {
  events: readonly AuditEvent[];
  /** The event that the page was opened at. */
  marked: number | null;
  onOpen: (event: AuditEvent) => void;
};

type Line = { key: string; day: string } | { key: string; event: AuditEvent; index: number };

/** Height of the sticky top bar, and space to see the next events, in pixels. */
const scrollPaddingTop = 72;
const scrollPaddingBottom = 88;

/** Events by day; only those near the window are rendered. */
export function AuditTimeline({ events, marked, onOpen }: AuditTimelineProps) {
  const now = useNow();
  // Days depend on the reader's time zone, which the server does not know.
  const lines = useMemo(() => (now === null ? [] : linesOf(events, now)), [events, now]);
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index] && "day" in lines[index] ? 44 : 36),
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: scrollPaddingTop,
    scrollPaddingEnd: scrollPaddingBottom,
  });
  const active = useRowKeys({
    count: events.length,
    noun: "event",
    ids: useMemo(() => events.map(({ seq }) => String(seq)), [events]),
    onOpen: (index) => events[index] && onOpen(events[index]),
  });

  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    // Content above the list moves it without changing its size.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  const lineOf = (seq: number | undefined) => lines.findIndex((line) => "event" in line && line.event.seq === seq);
  const activeSeq = events[active]?.seq;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the active event changes
  useEffect(() => {
    if (activeSeq !== undefined) virtualizer.scrollToIndex(lineOf(activeSeq));
  }, [activeSeq]);
  const hasMarked = marked !== null && lineOf(marked) !== -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the event is loaded
  useEffect(() => {
    if (hasMarked && top > 0) virtualizer.scrollToIndex(lineOf(marked), { align: "center" });
  }, [hasMarked, marked, top > 0]);

  return (
    <ol ref={list} aria-label="Events" className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const line = lines[index];
        if (!line) return null;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {"day" in line ? (
              <h2 className="border-b px-2 pt-4 pb-1.5 text-13">{line.day}</h2>
            ) : (
              <AuditRow
                event={line.event}
                index={line.index}
                isActive={line.index === active}
                isMarked={line.event.seq === marked}
                onOpen={() => onOpen(line.event)}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

function linesOf(events: readonly AuditEvent[], now: number): Line[] {
  let index = -1;
  return groupByDay(events, now).flatMap((day): Line[] => [
    // After a clock change, the same day can appear twice.
    { key: `${day.key} ${day.events[0]?.seq}`, day: day.label },
    ...day.events.map((event) => {
      index += 1;
      return { key: String(event.seq), event, index };
    }),
  ]);
}

function AuditRow({ event, index, isActive, isMarked, onOpen }: AuditRowProps) {
  return (
    <div data-row-index={index}>
      <button
        type="button"
        aria-current={isMarked ? "true" : undefined}
        onClick={onOpen}
        className={cn(
          "flex w-full items-start gap-3 rounded-md px-2 py-1.5 text-left text-13 hover:bg-accent focus-visible:-outline-offset-2",
          isMarked && "bg-selected",
          isActive && "bg-accent shadow-[inset_2px_0_0_var(--primary)]",
        )}
      >
        <AuditIcon event={event} />
        <span className="min-w-0 flex-1 break-words pt-0.5">
          <span className="font-semibold">{event.actor.name}</span> {event.summary}
          {event.count > 1 ? (
            <Badge className="ml-2 tabular-nums" title={`${event.count} times, recorded as one event`}>
              ×{event.count}
            </Badge>
          ) : null}
        </span>
        {event.outcome === "ok" ? null : (
          <Badge tone="danger" className="mt-0.5">
            {event.outcome === "refused" ? "Refused" : "Failed"}
          </Badge>
        )}
        <time
          dateTime={event.at}
          title={formatExactTime(Date.parse(event.at))}
          className="w-12 shrink-0 pt-0.5 text-right text-muted-foreground tabular-nums"
        >
          {formatClock(event.at)}
        </time>
      </button>
    </div>
  );
}

function formatClock(iso: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date(iso));
}

function AuditIcon({ event }: { event: AuditEvent }) {
  const Icon = icons[event.action.split(".")[0] ?? ""] ?? FileDiff;
  const isBad = event.outcome !== "ok";
  const isApproval = event.action.endsWith(".approve") && !isBad;
  return (
    <span
      aria-hidden
      className={cn(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-full border bg-background text-muted-foreground [&_svg]:size-3.5",
        isBad && "border-danger-line text-danger",
        isApproval && "border-success-line text-success",
      )}
    >
      <Icon />
    </span>
  );
}
