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
import { useRowKeys } from "@/components/lists/use-list-keys";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { formatExactTime } from "@/components/ui/format-time";
import type { AuditEvent } from "@/lib/audit/schema";
import { foldReleases, releaseSummary, type TimelineRow } from "./fold-releases";
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

type Line = { key: string; day: string } | { key: string; row: TimelineRow; index: number };

/** Height of the sticky top bar, and space to see the next events, in pixels. */
const scrollPaddingTop = 72;
const scrollPaddingBottom = 88;

/** Events by day; only those near the window are rendered. */
export function AuditTimeline({ events, marked, onOpen }: AuditTimelineProps) {
  const now = useNow();
  // Days depend on the reader's time zone, which the server does not know.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => foldReleases(events, withMarked(events, { open, marked })), [events, open, marked]);
  const lines = useMemo(() => (now === null ? [] : linesOf(rows, now)), [rows, now]);
  const toggle = (id: string) => setOpen(new Set(open.has(id) ? [...open].filter((one) => one !== id) : [...open, id]));
  const act = (row: TimelineRow) => ("event" in row ? onOpen(row.event) : toggle(row.id));
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
    count: rows.length,
    noun: "event",
    ids: useMemo(() => rows.map(({ id }) => id), [rows]),
    onOpen: (index) => rows[index] && act(rows[index]),
  });

  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    // Content above the list moves it without changing its size.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  const lineOf = (id: string | undefined) => lines.findIndex((line) => "row" in line && line.row.id === id);
  const activeId = rows[active]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the active event changes
  useEffect(() => {
    if (activeId !== undefined) virtualizer.scrollToIndex(lineOf(activeId));
  }, [activeId]);
  const hasMarked = marked !== null && lineOf(String(marked)) !== -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the event is loaded
  useEffect(() => {
    if (hasMarked && top > 0) virtualizer.scrollToIndex(lineOf(String(marked)), { align: "center" });
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
            ) : "event" in line.row ? (
              <AuditRow
                event={line.row.event}
                index={line.index}
                isActive={line.index === active}
                isMarked={line.row.event.seq === marked}
                onOpen={() => act(line.row)}
              />
            ) : (
              <ReleaseRow
                folded={line.row.folded}
                isOpen={line.row.isOpen}
                index={line.index}
                isActive={line.index === active}
                onToggle={() => act(line.row)}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** The event that the page was opened at is shown, also inside a fold. */
function withMarked(
  events: readonly AuditEvent[],
  { open, marked }: { open: ReadonlySet<string>; marked: number | null },
): ReadonlySet<string> {
  const holding = foldReleases(events, new Set()).filter(
    (row) => "folded" in row && row.folded.some(({ seq }) => seq === marked),
  );
  return holding.length === 0 ? open : new Set([...open, ...holding.map(({ id }) => id)]);
}

function linesOf(rows: readonly TimelineRow[], now: number): Line[] {
  let index = -1;
  return groupByDay(rows, now).flatMap((day): Line[] => [
    // After a clock change, the same day can appear twice.
    { key: `${day.key} ${day.events[0]?.id}`, day: day.label },
    ...day.events.map((row) => {
      index += 1;
      return { key: row.id, row, index };
    }),
  ]);
}

type ReleaseRowProps = {
  folded: readonly AuditEvent[];
  isOpen: boolean;
  index: number;
  isActive: boolean;
  onToggle: () => void;
};

function ReleaseRow({ folded, isOpen, index, isActive, onToggle }: ReleaseRowProps) {
  const first = folded[0];
  if (first === undefined) return null;
  return (
    <div data-row-index={index}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className={cn(
          "flex w-full items-start gap-3 rounded-md px-2 py-1.5 text-left text-13 hover:bg-accent focus-visible:-outline-offset-2",
          isActive && "bg-accent shadow-[inset_2px_0_0_var(--primary)]",
        )}
      >
        <AuditIcon event={first} />
        <span className="min-w-0 flex-1 break-words pt-0.5">
          <span className="font-semibold">{first.actor.name}</span> {releaseSummary(folded)}{" "}
          <span className="ml-1 text-primary">
            {isOpen ? "Hide" : "Show"} {folded.length} events
          </span>
        </span>
        <time
          dateTime={first.at}
          title={formatExactTime(Date.parse(first.at))}
          className="w-12 shrink-0 pt-0.5 text-right text-muted-foreground tabular-nums"
        >
          {formatClock(first.at)}
        </time>
      </button>
    </div>
  );
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
          <EventSentence event={event} />
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

/** The name of the skill stands out as the identifier that it is. */
export function EventSentence({ event: { actor, summary, target, skillId } }: { event: AuditEvent }) {
  const name = skillId === null || target === null ? "" : target.name;
  const at = name === "" ? -1 : summary.indexOf(name);
  return (
    <>
      <span className="font-semibold">{actor.name}</span>
      {actor.kind === "worker" ? " (worker)" : null}{" "}
      {at === -1 ? (
        summary
      ) : (
        <>
          {summary.slice(0, at)}
          <code className="font-mono text-xs">{name}</code>
          {summary.slice(at + name.length)}
        </>
      )}
    </>
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
