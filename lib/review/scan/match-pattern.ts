import type { RE2JS } from "re2js";
import { lastBreak } from "./bounded-search";
import type { Region } from "./find-regions";
import { CHUNK_CHARS, MAX_CLOSE_CHARS, OVERLAP_CHARS, WINDOW_CHARS } from "./limits";

export type RawMatch = { start: number; end: number; groups: string[] };

/**
 * Calls `take` for each match in order until it returns false. A quick pass without places (one step a character) says
 * which chunks match; only those are looked at closely, as long as the budget lasts. Returns "overrun" when it did not.
 */
export function matchPattern(
  pattern: RE2JS,
  text: string,
  take: (match: RawMatch) => boolean,
  regions: Region[] = [{ start: 0, end: text.length }],
  budget = { leftChars: MAX_CLOSE_CHARS },
): "finished" | "stopped" | "overrun" {
  let from = 0;
  for (const window of regions.flatMap(({ start, end }) => [...slices(text, start, end, WINDOW_CHARS)])) {
    const whole = window.end - window.start <= CHUNK_CHARS;
    if (!whole && !pattern.test(text.slice(window.start, window.end))) continue;
    for (const { start, end } of slices(text, window.start, window.end, CHUNK_CHARS)) {
      const chunk = text.slice(start, end);
      if (end <= from || !pattern.test(chunk)) continue;
      budget.leftChars -= chunk.length;
      if (budget.leftChars < 0) return "overrun";
      const matcher = pattern.matcher(chunk);
      while (matcher.find()) {
        const match = { start: start + matcher.start(), end: start + matcher.end(), groups: groupsOf(matcher) };
        // Overlaps see a match twice.
        if (match.start < from || match.end === match.start) continue;
        from = match.end;
        if (!take(match)) return "stopped";
      }
    }
  }
  return "finished";
}

/** How many chunks hold a match behind an offset: a cheap lower bound of the matches there. */
export function countMatchingChunks(pattern: RE2JS, text: string, from: number): number {
  let count = 0;
  for (const { start, end } of slices(text, from, text.length, CHUNK_CHARS)) {
    if (pattern.test(text.slice(start, end))) count += 1;
  }
  return count;
}

function* slices(text: string, from: number, to: number, size: number): Generator<{ start: number; end: number }> {
  if (to - from <= size) {
    if (to > from) yield { start: from, end: to };
    return;
  }
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + size);
    yield { start, end };
    if (end === to) return;
    start = alignToLine(text, start, end - OVERLAP_CHARS);
  }
}

/** The last line start within 512 characters before an offset, so that a cut makes no word or line begin. */
function alignToLine(text: string, previous: number, offset: number): number {
  const newline = lastBreak(text, offset, Math.max(previous + 1, offset - 511));
  return newline === -1 ? offset : newline + 1;
}

function groupsOf(matcher: ReturnType<RE2JS["matcher"]>): string[] {
  const groups: string[] = [];
  for (let group = 1; group <= matcher.groupCount(); group += 1) groups.push(matcher.group(group) ?? "");
  return groups;
}
