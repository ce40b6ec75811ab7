import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, type RefObject, useEffect, useMemo } from "react";
import { cn } from "@/components/ui/cn";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { ColouredText, useHighlight } from "./coloured-text";
import { SeverityIcon } from "./diagnostic-list";
import type { Mark } from "./highlight-code";

type CodeLine = { number: number; text: string /** Characters beyond what is shown. */; clipped: number };

/** Longer lines are cut; the download has all of them. */
const shownChars = 2000;

type CodeRowProps = {
  line: CodeLine;
  isTarget: boolean;
  mark?: "info" | "warning" | "error" | undefined;
  onSelect: (line: number) => void;
  colours?: readonly Mark[] | undefined;
  children?: ReactNode;
};

const markStyles = {
  info: "shadow-[inset_2px_0_0_var(--input)]",
  warning: "bg-warning-soft shadow-[inset_2px_0_0_var(--warning-mark)]",
  error: "bg-danger-soft shadow-[inset_2px_0_0_var(--danger-mark)]",
} as const;

/** A numbered line of source, wrapped so that no text hides beyond the right edge. */
const CodeRow = memo(function CodeRow({ line, isTarget, mark, onSelect, colours, children }: CodeRowProps) {
  const { number, text, clipped } = line;
  return (
    <div data-line={number}>
      <div className={cn("grid grid-cols-[3.25rem_1fr]", mark && markStyles[mark], isTarget && "bg-selected")}>
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Link to line ${number}`}
          onClick={() => onSelect(number)}
          className="select-none self-start pr-3 text-right text-muted-foreground tabular-nums hover:text-foreground"
        >
          {number}
        </button>
        <span className="whitespace-pre-wrap pr-4 [overflow-wrap:anywhere] [tab-size:4]">
          {text === "" ? "\n" : <ColouredText text={text} marks={colours} />}
          {clipped > 0 ? (
            <span className="ml-1 rounded-sm bg-warning-soft px-1 text-warning">
              … {clipped.toLocaleString("en-GB")} more characters
            </span>
          ) : null}
        </span>
      </div>
      {children}
    </div>
  );
});

const order = ["error", "warning", "info"] as const;

type CodeViewerProps = {
  text: string;
  label: string;
  /** Chooses the grammar of the syntax colours; without it, the text stays plain. */
  path?: string | undefined;
  /** Diagnostics, shown in the margin and below their lines. */
  notes?: readonly Diagnostic[];
  target: number | null;
  onTarget: (line: number) => void;
  scroller: RefObject<HTMLDivElement | null>;
  className?: string;
};

/** Lines up to which a file is rendered whole, so that the browser's search covers it. */
const renderedWhole = 1500;
const lineHeight = 20;

export function CodeViewer({ text, label, path, notes = [], target, onTarget, scroller, className }: CodeViewerProps) {
  const lines = useMemo(() => codeLines(text), [text]);
  const byLine = useMemo(() => groupByLine(notes), [notes]);
  const colours = useHighlight(path, text);
  const shared = { lines, byLine, colours, target, onTarget, scroller };
  return (
    <section aria-label={label} className={cn("py-2 font-mono text-xs leading-5", className)}>
      {lines.length <= renderedWhole ? <WholeLines {...shared} /> : <VirtualLines {...shared} />}
    </section>
  );
}

type LinesProps = {
  lines: readonly CodeLine[];
  byLine: ReadonlyMap<number, Diagnostic[]>;
  colours: readonly (readonly Mark[])[] | null;
  target: number | null;
  onTarget: (line: number) => void;
  scroller: RefObject<HTMLDivElement | null>;
};

function WholeLines({ lines, target, scroller, ...rest }: LinesProps) {
  useEffect(() => {
    const view = scroller.current;
    const line = view?.querySelector(`[data-line="${target}"]`);
    if (!view || !line) return;
    // Not scrollIntoView, which would move the page as well.
    view.scrollTop += line.getBoundingClientRect().top - view.getBoundingClientRect().top - view.clientHeight / 3;
  }, [target, scroller]);
  return lines.map((line) => <Line key={line.number} line={line} target={target} {...rest} />);
}

function VirtualLines({ lines, target, scroller, ...rest }: LinesProps) {
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 40,
  });
  useEffect(() => {
    if (target !== null) virtualizer.scrollToIndex(Math.min(target, lines.length) - 1, { align: "center" });
  }, [target, lines.length, virtualizer]);
  return (
    <div className="relative" data-line-count={lines.length} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((row) => {
        const line = lines[row.index];
        if (!line) return null;
        return (
          <div
            key={row.key}
            ref={virtualizer.measureElement}
            data-index={row.index}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${row.start}px)` }}
          >
            <Line line={line} target={target} {...rest} />
          </div>
        );
      })}
    </div>
  );
}

type LineProps = Pick<LinesProps, "byLine" | "colours" | "target" | "onTarget"> & { line: CodeLine };

function Line({ line, byLine, colours, target, onTarget }: LineProps) {
  const notes = byLine.get(line.number);
  return (
    <CodeRow
      line={line}
      isTarget={line.number === target}
      mark={notes && highestSeverity(notes)}
      colours={colours?.[line.number - 1]}
      onSelect={onTarget}
    >
      {notes ? <LineNotes notes={notes} /> : null}
    </CodeRow>
  );
}

function groupByLine(notes: readonly Diagnostic[]): Map<number, Diagnostic[]> {
  const found = new Map<number, Diagnostic[]>();
  for (const note of notes) {
    if (note.line === undefined) continue;
    found.set(note.line, [...(found.get(note.line) ?? []), note]);
  }
  return found;
}

function highestSeverity(notes: readonly Diagnostic[]): Diagnostic["severity"] | undefined {
  return order.find((severity) => notes.some((note) => note.severity === severity));
}

function LineNotes({ notes }: { notes: readonly Diagnostic[] }) {
  return (
    <ul className="my-1 mr-4 ml-[3.25rem] flex flex-col gap-1 border-l-2 pl-3 font-sans text-13">
      {notes.map((note) => (
        <li key={`${note.code}${note.message}`} className="flex items-start gap-2">
          <SeverityIcon severity={note.severity} className="mt-0.5" />
          <span>
            {note.message} <code className="text-muted-foreground text-xs">{note.code}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Splits text at LF and CRLF; a lone carriage return stays visible. */
export function codeLines(text: string): CodeLine[] {
  const lines = text.split(/\r?\n/);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => ({
    number: index + 1,
    text: line.length > shownChars ? cutAt(line, shownChars) : line,
    clipped: Math.max(0, line.length - shownChars),
  }));
}

function cutAt(line: string, length: number): string {
  const code = line.charCodeAt(length - 1);
  return line.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
