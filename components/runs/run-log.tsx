"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { DownloadButton } from "@/components/json/download-button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Switch } from "@/components/ui/switch";
import { toVisibleText } from "./log-text";
import type { LogLine, RunLogState } from "./run-log-state";

type RunLogProps = {
  log: RunLogState;
  filename: string;
  /** Whether the run has ended, so that what comes is read, not said now. */
  isOver: boolean;
  /** As high as its lines, up to the usual height. */
  fitted: boolean;
};

const lineHeight = 20;
const nearEnd = 40;
const usualHeight = 320;
/** The head, the padding and the borders. */
const chromeHeight = 58;

/** Numbered lines as they come. It follows the end until somebody scrolls up. */
export function RunLog({ log, filename, isOver, fitted }: RunLogProps) {
  const { lines } = log;
  const [isFollowing, setFollowing] = useState(true);
  const scroller = useRef<HTMLElement>(null);
  const text = useMemo(() => lines.map((line) => toVisibleText(line.text)).join("\n"), [lines]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });

  useEffect(() => {
    if (isFollowing && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: "end" });
  }, [isFollowing, lines.length, virtualizer]);

  const stopWhenScrolledUp = () => {
    const box = scroller.current;
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight > nearEnd) setFollowing(false);
  };

  return (
    <section
      aria-label="Log"
      className="flex min-h-0 flex-col overflow-hidden rounded-md border"
      style={{
        height: fitted ? Math.min(usualHeight, chromeHeight + Math.max(1, lines.length) * lineHeight) : usualHeight,
      }}
    >
      <header className="flex h-10 shrink-0 items-center gap-2 border-b pr-1.5 pl-4">
        <h3>Log</h3>
        <span role="status" className="truncate text-muted-foreground text-xs">
          {phaseText(log, isOver)}
        </span>
        <span className="ml-auto flex items-center gap-1">
          <span className="mr-1 flex items-center gap-2 text-13 text-muted-foreground">
            Follow{" "}
            <Switch checked={isFollowing} onCheckedChange={setFollowing} aria-label="Follow the end of the log" />
          </span>
          <CopyButton value={text} label="Copy log" />
          <DownloadButton label="Download log" filename={filename} text={text} />
        </span>
      </header>
      <section
        ref={scroller}
        aria-label="Log lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onWheel={({ deltaY }) => deltaY < 0 && setFollowing(false)}
        onTouchMove={stopWhenScrolledUp}
        onKeyDown={({ key }: KeyboardEvent) => ["ArrowUp", "PageUp", "Home"].includes(key) && setFollowing(false)}
        className="min-h-0 flex-1 overflow-auto bg-muted py-1.5 font-mono text-xs focus-visible:-outline-offset-2"
      >
        {lines.length === 0 ? (
          <p className="px-4 py-1 font-sans text-13 text-muted-foreground">{emptyText(log.phase, isOver)}</p>
        ) : null}
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const line = lines[item.index];
            return line ? (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Line line={line} />
              </div>
            ) : null;
          })}
        </div>
      </section>
    </section>
  );
}

function Line({ line }: { line: LogLine }) {
  const isSystem = line.stream === "system";
  return (
    <div className="grid grid-cols-[3.5rem_1fr] leading-5" title={line.at}>
      <span aria-hidden className="select-none pr-3 text-right text-muted-foreground tabular-nums">
        {line.number}
      </span>
      <span className={cn("whitespace-pre-wrap break-words pr-4", isSystem && "text-muted-foreground italic")}>
        {isSystem ? <span className="sr-only">Skillgate: </span> : null}
        {toVisibleText(line.text) || " "}
      </span>
    </div>
  );
}

function emptyText(phase: RunLogState["phase"], isOver: boolean): string {
  if (phase === "ended") return "It wrote nothing to its log.";
  return isOver ? "Loading the log" : "What it writes to its log appears here.";
}

function phaseText({ phase, lines }: RunLogState, isOver: boolean): string {
  switch (phase) {
    case "connecting":
      return "Connecting";
    case "live":
      return isOver ? "Loading" : "Live";
    case "reconnecting":
      return "Connection dropped, resuming";
    case "lost":
      return "Connection lost, trying again";
    case "ended":
      return `${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
  }
}
