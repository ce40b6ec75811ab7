import type { AnsiPiece, AnsiStyle } from "./ansi";

export type LineHit = { start: number; end: number; place: number };
/** A stretch of a line: of one style, and inside one hit or none. */
export type LinePart = { text: string; style: AnsiStyle; at: number; hit: number | null };

/** Cuts the pieces of a line where hits begin and end. */
export function markPieces(pieces: readonly AnsiPiece[], hits: readonly LineHit[]): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { text, style } of pieces) {
    const end = at + text.length;
    let from = at;
    for (const hit of hits) {
      if (hit.end <= from || hit.start >= end) continue;
      const start = Math.max(hit.start, from);
      const stop = Math.min(hit.end, end);
      if (start > from) parts.push({ text: text.slice(from - at, start - at), style, at: from, hit: null });
      parts.push({ text: text.slice(start - at, stop - at), style, at: start, hit: hit.place });
      from = stop;
    }
    if (from < end) parts.push({ text: text.slice(from - at), style, at: from, hit: null });
    at = end;
  }
  return parts;
}
