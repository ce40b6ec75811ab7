import { lastBreak, nextBreak } from "./bounded-search";
import { OVERLAP_CHARS } from "./limits";

export type Region = { start: number; end: number };

/**
 * The parts of a text in which a match may stand that holds one of the hints: their lines and `lines - 1` lines to each side, at
 * most 1,024 characters away. In order, without overlap.
 */
export function findRegions(text: string, places: number[][], lines: number): Region[] {
  const regions: Region[] = [];
  for (const place of mergeSorted(places)) {
    const last = regions.at(-1);
    // Thousands of hints on one line need not be measured one by one.
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
