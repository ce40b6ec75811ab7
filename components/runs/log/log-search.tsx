import { ChevronDown, ChevronUp } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { IconButton } from "@/components/ui/icon-button";
import { SearchInput } from "@/components/ui/search-input";
import type { LineHit } from "./log-row";
import type { LogLine } from "./use-run-log";

/** Searches the log: Enter goes to the next hit, Shift+Enter to the previous one, Escape clears. */
export function LogSearchBar({ search }: { search: LogSearch }) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut("/", "Search the log", () => input.current?.select(), { group: "Log" });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && search.query !== "") search.setQuery("");
    else if (event.key === "Enter") search.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const isOff = search.count === 0;
  return (
    <div className="flex min-w-0 items-center gap-1 max-md:w-full">
      <SearchInput
        ref={input}
        label="Search the log"
        value={search.query}
        onChange={({ target }) => search.setQuery(target.value)}
        onKeyDown={onKeyDown}
        placeholder="Search"
        className="md:w-44"
      />
      {search.query === "" ? null : (
        <>
          <span role="status" className="min-w-16 whitespace-nowrap px-1 text-muted-foreground text-xs tabular-nums">
            {countText(search)}
          </span>
          <IconButton label="Previous match" size="sm" disabled={isOff} onClick={() => search.go(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next match" size="sm" disabled={isOff} onClick={() => search.go(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}

function countText({ count, current }: LogSearch): string {
  if (count === 0) return "No matches";
  return `${(current + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`;
}

type LogSearch = ReturnType<typeof useLogSearch>;

/** Search state of a growing log. The first hit is the next one from `topLine`; `show` scrolls to a line. */
export function useLogSearch(lines: readonly LogLine[], topLine: () => number, show: (lineIndex: number) => void) {
  const [query, setText] = useState("");
  const [current, setCurrent] = useState(-1);
  const known = useRef<LogHits>(noHits);
  const pattern = useMemo(() => logPattern(query), [query]);
  const seen = useDeferredValue(lines);
  const hits = useMemo(() => {
    known.current = searchLog(known.current, seen, pattern);
    return known.current;
  }, [seen, pattern]);
  const count = hits.lines.length;

  const setQuery = (next: string) => {
    setText(next);
    const found = searchLog(noHits, lines, logPattern(next));
    const first = firstHitFrom(found, topLine());
    setCurrent(first);
    const line = found.lines[first];
    if (line !== undefined) show(line);
  };

  const go = (steps: 1 | -1) => {
    if (count === 0) return;
    const next = current < 0 ? firstHitFrom(hits, topLine()) : (current + steps + count) % count;
    setCurrent(next);
    const line = hits.lines[next];
    if (line !== undefined) show(line);
  };

  return { query, setQuery, hits, count, current, go };
}

type LogHits = {
  pattern: RegExp | null;
  /** Number of lines searched; later calls search only newer lines. */
  scanned: number;
  lines: readonly number[];
  starts: readonly number[];
  ends: readonly number[];
};

export const noHits: LogHits = { pattern: null, scanned: 0, lines: [], starts: [], ends: [] };

/** A case-insensitive pattern for literal text; null for an empty query. */
export function logPattern(query: string): RegExp | null {
  if (query === "") return null;
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** Searches a log; with earlier hits of the same pattern, only the new lines. */
export function searchLog(before: LogHits, lines: readonly Pick<LogLine, "plain">[], pattern: RegExp | null): LogHits {
  if (pattern === null) return noHits;
  const isSame = before.pattern?.source === pattern.source && before.scanned <= lines.length;
  if (isSame && before.scanned === lines.length) return before;
  const hits = {
    lines: isSame ? [...before.lines] : [],
    starts: isSame ? [...before.starts] : [],
    ends: isSame ? [...before.ends] : [],
  };
  for (let index = isSame ? before.scanned : 0; index < lines.length; index += 1) {
    for (const match of (lines[index]?.plain ?? "").matchAll(pattern)) {
      hits.lines.push(index);
      hits.starts.push(match.index);
      hits.ends.push(match.index + match[0].length);
    }
  }
  return { pattern, scanned: lines.length, ...hits };
}

/** Index of the first hit at or after a line, wrapping around; -1 without hits. */
export function firstHitFrom(hits: LogHits, lineIndex: number): number {
  if (hits.lines.length === 0) return -1;
  const found = lowerBound(hits.lines, lineIndex);
  return found === hits.lines.length ? 0 : found;
}

const noneHere: readonly LineHit[] = [];

/** The hits of one line, with their index among all hits. */
export function hitsOfLine(hits: LogHits, lineIndex: number): readonly LineHit[] {
  const first = lowerBound(hits.lines, lineIndex);
  if (hits.lines[first] !== lineIndex) return noneHere;
  const found: LineHit[] = [];
  for (let place = first; hits.lines[place] === lineIndex; place += 1) {
    found.push({ start: hits.starts[place] ?? 0, end: hits.ends[place] ?? 0, place });
  }
  return found;
}

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
