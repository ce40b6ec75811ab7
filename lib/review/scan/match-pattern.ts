import { RE2JS } from "re2js";
import { neededBy } from "./hints";
import { CHUNK_CHARS, MAX_CLOSE_CHARS, OVERLAP_CHARS, WINDOW_CHARS } from "./limits";

export type RawMatch = { start: number; end: number; groups: string[] };

/**
 * Calls `take` for each match in order until it returns false. A linear pass finds matching chunks first; only those
 * are examined, within the budget. Returns "overrun" when the budget is exceeded.
 */
export function matchPattern(
  pattern: RE2JS,
  text: string,
  take: (match: RawMatch) => boolean,
  regions: Region[] = [{ start: 0, end: text.length }],
  budget = { leftChars: MAX_CLOSE_CHARS },
): "finished" | "stopped" | "overrun" {
  let from = 0;
  for (const window of regions.flatMap(({ start, end }) => slices(text, start, end, WINDOW_CHARS))) {
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
        if (match.start < from || match.end === match.start) continue;
        from = match.end;
        if (!take(match)) return "stopped";
      }
    }
  }
  return "finished";
}

/** The number of chunks with a match after an offset: a cheap lower bound for the matches. */
export function countMatchingChunks(pattern: RE2JS, text: string, from: number): number {
  let count = 0;
  for (const { start, end } of slices(text, from, text.length, CHUNK_CHARS)) {
    if (pattern.test(text.slice(start, end))) count += 1;
  }
  return count;
}

function slices(text: string, from: number, to: number, size: number): Region[] {
  if (to - from <= size) return to > from ? [{ start: from, end: to }] : [];
  const found: Region[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + size);
    found.push({ start, end });
    if (end === to) break;
    start = alignToLine(text, start, end - OVERLAP_CHARS);
  }
  return found;
}

/** The last line start within 512 characters before an offset, so that a cut never creates a word or line start. */
function alignToLine(text: string, previous: number, offset: number): number {
  const newline = lastBreak(text, offset, Math.max(previous + 1, offset - 511));
  return newline === -1 ? offset : newline + 1;
}

function groupsOf(matcher: ReturnType<RE2JS["matcher"]>): string[] {
  const groups: string[] = [];
  for (let group = 1; group <= matcher.groupCount(); group += 1) groups.push(matcher.group(group) ?? "");
  return groups;
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
const MAX_NEEDED = 40;

type Compiled = { pattern: RE2JS; needs: RegExp[] };

const compiled = new Map<string, Compiled>();

/**
 * Compiles a rule's pattern once per thread: case-insensitive, `^` and `$` match at lines. A text with a match has a
 * match of each of `needs`, which are lists of words: four of five texts near a hint lack one, and RE2 takes ten times as long to say so.
 */
export function compileRulePattern(re: string): Compiled {
  let known = compiled.get(re);
  if (known === undefined) {
    const lists = neededBy(re).filter((list) => list.length <= MAX_NEEDED && list.every((word) => word.length > 2));
    const needs = lists.map((list) => new RegExp(list.map((word) => word.replace(SYNTAX, "\\$&")).join("|"), "iu"));
    known = { pattern: RE2JS.compile(`(?im)${re}`), needs };
    compiled.set(re, known);
  }
  return known;
}

/** The last line break at or before an offset, not before `floor`; -1 if none. */
export function lastBreak(text: string, offset: number, floor: number): number {
  const from = Math.max(0, floor);
  const at = text.slice(from, Math.max(from, offset + 1)).lastIndexOf("\n");
  return at === -1 ? -1 : from + at;
}

/** The first line break at or after an offset, before `ceiling`; -1 if none. */
export function nextBreak(text: string, offset: number, ceiling: number): number {
  const at = text.slice(offset, Math.max(offset, ceiling)).indexOf("\n");
  return at === -1 ? -1 : offset + at;
}

export type Region = { start: number; end: number };

/** Regions that can contain a match with a hint: `lines - 1` lines around, at most 1,024 characters. */
export function findRegions(text: string, places: number[][], lines: number): Region[] {
  const regions: Region[] = [];
  for (const place of mergeSorted(places)) {
    const last = regions.at(-1);
    if (last !== undefined && place < last.end - OVERLAP_CHARS / 2) continue;
    const start = lineStart(text, place, lines);
    const end = lineEnd(text, place, lines);
    if (last === undefined || start > last.end) regions.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return regions;
}

function mergeSorted(places: number[][]): number[] {
  const filled = places.filter((list) => list.length > 0);
  return filled.length === 1 ? (filled[0] ?? []) : filled.flat().sort((a, b) => a - b);
}

function lineStart(text: string, place: number, lines: number): number {
  const floor = Math.max(0, place - OVERLAP_CHARS);
  let at = place;
  for (let count = 0; count < lines; count += 1) {
    const newline = lastBreak(text, at - 1, floor);
    if (newline === -1) return floor;
    at = newline;
  }
  return at + 1;
}

function lineEnd(text: string, place: number, lines: number): number {
  const ceiling = Math.min(text.length, place + OVERLAP_CHARS);
  let at = place - 1;
  for (let count = 0; count < lines; count += 1) {
    const newline = nextBreak(text, at + 1, ceiling);
    if (newline === -1) return ceiling;
    at = newline;
  }
  return at;
}
