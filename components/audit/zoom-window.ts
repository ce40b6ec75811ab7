import type { UrlPatch } from "@/components/state/use-url-params";

const SHORTEST_MS = 10_000;

/** A stretch of time in ms since 1970, from the first to before the second. */
export type TimeWindow = { from: number; to: number };

/**
 * Narrows (`factor` < 1) or widens a window around a moment that keeps its place in it, down to ten seconds; null for
 * everything, when it would reach beyond all that there is.
 */
export function zoomWindow(
  shown: TimeWindow,
  all: TimeWindow,
  { factor, at }: { factor: number; at: number },
): TimeWindow | null {
  const length = Math.max(SHORTEST_MS, (shown.to - shown.from) * factor);
  if (length >= all.to - all.from) return null;
  const share = (at - shown.from) / (shown.to - shown.from);
  return within({ from: at - length * share, to: at + length * (1 - share) }, all);
}

/** The window one half of its length earlier (-1) or later (1), no further than there is something. */
export function moveWindow(shown: TimeWindow, all: TimeWindow, direction: -1 | 1): TimeWindow {
  const step = ((shown.to - shown.from) / 2) * direction;
  return within({ from: shown.from + step, to: shown.to + step }, all);
}

function within({ from, to }: TimeWindow, all: TimeWindow): TimeWindow {
  const length = to - from;
  const start = Math.max(all.from, Math.min(from, all.to - length));
  return { from: Math.round(start), to: Math.round(start + length) };
}

/** As the address has it; the end of a window is not within it. */
export function windowPatch(window: TimeWindow | null): UrlPatch {
  if (window === null) return { from: null, to: null };
  return { from: new Date(window.from).toISOString(), to: new Date(window.to - 1).toISOString() };
}
