import { KNOWN_KEYS } from "@/lib/skill-format/dialects/known-keys";

/** One field as text: its key, what stands beside it, and the lines below it. `line` counts from 1 in the block. */
export type Segment = { key: string; value: string; below: string[]; line: number };

const KEY = /^(["']?)(<<|[\p{L}_$][\p{L}\p{N}_.$/-]*)\1[ \t]*:(?:[ \t]+(.*))?$/u;

/**
 * Cuts a block at the keys that begin in column 0, without reading any value. A text in quotes that goes on over lines
 * belongs to its key up to its closing quote, or up to a key that skills are known to use.
 */
export function splitSegments(block: string): { segments: Segment[]; before: string[] } {
  const segments: Segment[] = [];
  const before: string[] = [];
  let openQuote: string | null = null;
  for (const [index, line] of block.split("\n").entries()) {
    const [, , key, value = ""] = KEY.exec(line) ?? [];
    const current = segments.at(-1);
    if (key !== undefined && (openQuote === null || KNOWN_KEYS.has(key))) {
      segments.push({ key, value: value.trim(), below: [], line: index + 1 });
      openQuote = unclosedQuote(value.trim());
    } else if (current === undefined) {
      before.push(line);
    } else {
      current.below.push(line);
      if (openQuote !== null && line.trimEnd().endsWith(openQuote)) openQuote = null;
    }
  }
  return { segments, before };
}

/** Whether a field is written on one line: below it there are only blank lines and comments. */
export function isOneLine(segment: Segment): boolean {
  return segment.below.every((line) => /^\s*(#|$)/.test(line));
}

function unclosedQuote(value: string): string | null {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return null;
  return value.length > 1 && value.indexOf(quote, 1) !== -1 ? null : quote;
}
