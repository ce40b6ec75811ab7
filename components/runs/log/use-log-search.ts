"use client";

import { useDeferredValue, useMemo, useRef, useState } from "react";
import { firstHitFrom, type LogHits, logPattern, noHits, searchLog } from "./search-log";
import type { LogLine } from "./use-run-log";

export type LogSearch = {
  query: string;
  setQuery: (query: string) => void;
  hits: LogHits;
  count: number;
  /** The hit one stands on; -1 before the first step. */
  current: number;
  go: (steps: 1 | -1) => void;
};

/**
 * Search state over a log that grows. `topLine` says where the reader is, so that the first hit is the next from there;
 * `show` brings a line into view.
 */
export function useLogSearch(
  lines: readonly LogLine[],
  topLine: () => number,
  show: (lineIndex: number) => void,
): LogSearch {
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
