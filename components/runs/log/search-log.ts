import type { LineHit } from "./log-row";
import type { LogLine } from "./use-run-log";

/** Every place a search text stands at, in order. */
export type LogHits = {
  pattern: RegExp | null;
  /** How many lines were looked at; what came since is looked at alone. */
  scanned: number;
  /** Index of the line of each hit, and where in it the hit begins and ends. */
  lines: readonly number[];
  starts: readonly number[];
  ends: readonly number[];
};

export const noHits: LogHits = { pattern: null, scanned: 0, lines: [], starts: [], ends: [] };

/** Reads a search text: as it stands, whatever the case; null for none. */
export function logPattern(query: string): RegExp | null {
  if (query === "") return null;
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** Searches what a log holds. With the hits of the same pattern on fewer lines only the new ones are read. */
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

/** The first hit at or behind a line; the first of all behind the last. -1 when there is none. */
export function firstHitFrom(hits: LogHits, lineIndex: number): number {
  if (hits.lines.length === 0) return -1;
  const found = lowerBound(hits.lines, lineIndex);
  return found === hits.lines.length ? 0 : found;
}

const noneHere: readonly LineHit[] = [];

/** The hits of one line, each with its place among all. */
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
