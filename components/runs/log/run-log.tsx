import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, Link2 } from "lucide-react";
import { type MouseEvent, useCallback, useEffect, useMemo, useRef } from "react";
import { useAddressHash } from "@/components/code/use-address-hash";
import { DownloadButton } from "@/components/json/download-button";
import { useShortcut } from "@/components/shell/use-shortcut";
import { useCopy } from "@/components/state/use-copy";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Switch } from "@/components/ui/switch";
import { LogRow } from "./log-row";
import { hitsOfLine, LogSearchBar, useLogSearch } from "./log-search";
import { LogViewMenu, logTime, useLogDisplay } from "./log-view-menu";
import { useFollowEnd } from "./use-follow-end";
import type { RunLogState } from "./use-run-log";

type RunLogProps = {
  log: RunLogState;
  filename: string;
  startedAt: string | null;
  /** Whether the run has ended, so that the log is loading, not live. */
  isOver: boolean;
  fitted: boolean;
};

const lineHeight = 20;
const paddingY = 12;
const usualHeight = "min(60vh, 36rem)";

export function RunLog({ log, filename, startedAt, isOver, fitted }: RunLogProps) {
  const { lines } = log;
  const display = useLogDisplay();
  const [range, setRange] = useLineRange();
  const scroller = useRef<HTMLElement>(null);
  const text = useMemo(() => lines.map((line) => line.plain).join("\n"), [lines]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  const follow = useFollowEnd(scroller, {
    length: lines.length,
    toEnd: () => virtualizer.scrollToIndex(lines.length - 1, { align: "end" }),
    atFirst: range === null,
  });
  const { isFollowing, setFollowing } = follow;
  const show = useCallback(
    (index: number) => {
      setFollowing(false);
      virtualizer.scrollToIndex(index, { align: "center" });
    },
    [setFollowing, virtualizer],
  );
  const topLine = () => virtualizer.getVirtualIndexes().find((index) => isInView(scroller.current, index)) ?? 0;
  const search = useLogSearch(lines, topLine, show);
  const link = useLineLinks({ range, setRange, lineCount: lines.length, show, scroller });
  useShortcut("f", "Follow the end of the log", () => setFollowing(!isFollowing), { group: "Log" });
  const missing = range !== null && log.phase === "ended" && range.from > lines.length ? range.from : null;

  return (
    <section aria-label="Log" className="flex min-h-0 flex-col overflow-hidden rounded-md border">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b py-1 pr-1.5 pl-4">
        <h3>Log</h3>
        <span role="status" className="truncate text-muted-foreground text-xs">
          {phaseText(log, isOver)}
        </span>
        {missing === null ? null : <span className="text-warning text-xs">The log has no line {missing}</span>}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
          <LogSearchBar search={search} />
          <span className="flex items-center gap-1">
            <span className="mr-1 flex items-center gap-2 text-13 text-muted-foreground">
              Follow{" "}
              <Switch checked={isFollowing} onCheckedChange={setFollowing} aria-label="Follow the end of the log" />
            </span>
            <LogViewMenu display={display} />
            <CopyButton value={text} label="Copy log" />
            <DownloadButton label="Download log" filename={filename} text={text} />
          </span>
        </div>
      </header>
      {range && missing === null ? <LinkedLines range={range} onClear={() => setRange(null)} /> : null}
      <div className="relative">
        <section
          ref={scroller}
          aria-label="Log lines"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          {...follow.handlers}
          style={{
            height: fitted
              ? `min(${usualHeight}, ${Math.max(lineHeight, virtualizer.getTotalSize()) + paddingY}px)`
              : usualHeight,
          }}
          className="overflow-auto bg-muted py-1.5 font-mono text-xs focus-visible:-outline-offset-2"
        >
          {lines.length === 0 ? (
            <p className="px-4 py-1 font-sans text-13 text-muted-foreground">{emptyText(log.phase, isOver)}</p>
          ) : null}
          <div className="relative min-w-full" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const line = lines[index];
              return line ? (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="absolute top-0 left-0 min-w-full"
                  style={{ transform: `translateY(${start}px)`, ...(display.wrap ? { width: "100%" } : {}) }}
                >
                  <LogRow
                    line={line}
                    time={logTime(line.at, startedAt, display.times)}
                    wrap={display.wrap}
                    isLinked={range !== null && line.number >= range.from && line.number <= range.to}
                    hits={hitsOfLine(search.hits, index)}
                    currentHit={search.current}
                    onLink={link}
                  />
                </div>
              ) : null;
            })}
          </div>
        </section>
        {!isFollowing && log.phase === "live" && !isOver ? (
          <Button
            size="sm"
            onClick={() => setFollowing(true)}
            className="absolute right-4 bottom-3 bg-popover shadow-float"
          >
            <ArrowDown aria-hidden /> Go to the end
          </Button>
        ) : null}
      </div>
    </section>
  );
}

type LineLinks = {
  range: LineRange | null;
  setRange: (range: LineRange | null) => void;
  lineCount: number;
  show: (index: number) => void;
  scroller: { current: HTMLElement | null };
};

/** Scrolls to the lines in the address once they are loaded; clicking line numbers changes the address. */
function useLineLinks({ range, setRange, lineCount, show, scroller }: LineLinks) {
  const shown = useRef<string | null>(null);
  const key = range ? writeLineRange(range) : null;
  const first = range?.from ?? 0;
  useEffect(() => {
    if (key === null || key === shown.current || lineCount < first) return;
    shown.current = key;
    show(first - 1);
    scroller.current?.scrollIntoView?.({ block: "nearest" });
  }, [key, first, lineCount, show, scroller]);

  const latest = useRef(range);
  useEffect(() => {
    latest.current = range;
  });
  return useCallback(
    (event: MouseEvent, line: number) => {
      if (event.metaKey || event.ctrlKey) return; // Opens a new tab.
      event.preventDefault();
      const from = event.shiftKey && latest.current ? latest.current.from : line;
      const next = { from: Math.min(from, line), to: Math.max(from, line) };
      shown.current = writeLineRange(next);
      setRange(next);
    },
    [setRange],
  );
}

function LinkedLines({ range, onClear }: { range: LineRange; onClear: () => void }) {
  const { copied, copy } = useCopy();
  const name = range.from === range.to ? `Line ${range.from}` : `Lines ${range.from} to ${range.to}`;
  const copyLink = () => void copy(window.location.href);
  useShortcut("y", "Copy link to selected lines", copyLink, { group: "Log" });
  return (
    <p className="flex items-center gap-3 border-b px-4 py-1 text-13">
      <span className="text-muted-foreground">{name}</span>
      <Button variant="link" className="h-6" onClick={copyLink}>
        <Link2 aria-hidden /> {copied ? "Copied" : "Copy link"}
      </Button>
      <Button variant="link" className="h-6" onClick={onClear}>
        Clear
      </Button>
    </p>
  );
}

function isInView(box: HTMLElement | null, index: number): boolean {
  const row = box?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  return !!box && !!row && row.getBoundingClientRect().bottom > box.getBoundingClientRect().top;
}

function emptyText(phase: RunLogState["phase"], isOver: boolean): string {
  if (phase === "ended") return "The log is empty.";
  return isOver ? "Loading the log" : "Log lines appear here.";
}

function phaseText({ phase, lines }: RunLogState, isOver: boolean): string {
  switch (phase) {
    case "connecting":
      return "Connecting";
    case "live":
      return isOver ? "Loading" : "Live";
    case "reconnecting":
      return "Reconnecting";
    case "lost":
      return "Connection lost, retrying";
    case "ended":
      return `${lines.length.toLocaleString("en")} ${lines.length === 1 ? "line" : "lines"}`;
  }
}

/** An inclusive line range, counted from 1. */
type LineRange = { from: number; to: number };

/** Parses `#L12` or `#L12-L20` (in either order); null for anything else. */
export function readLineRange(hash: string): LineRange | null {
  const match = /^#L([1-9]\d{0,6})(?:-L?([1-9]\d{0,6}))?$/.exec(hash);
  if (!match) return null;
  const one = Number(match[1]);
  const other = Number(match[2] ?? match[1]);
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

function writeLineRange({ from, to }: LineRange): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}

/** The line range in the address, and its setter. */
function useLineRange(): [LineRange | null, (range: LineRange | null) => void] {
  const [hash, setHash] = useAddressHash();
  const set = useCallback((range: LineRange | null) => setHash(range === null ? "" : writeLineRange(range)), [setHash]);
  return [useMemo(() => readLineRange(hash), [hash]), set];
}
