const SECOND = 1_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 5, 15, 30].map((count) => count * SECOND),
  ...[1, 5, 15, 30].map((count) => count * MINUTE),
  ...[1, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 60].map((count) => count * DAY),
];

export type Buckets = { from: number; stepMs: number; count: number };

/**
 * Cuts a time (ms since 1970) into at most so many buckets of a round length, from one second to sixty days. They begin at
 * a whole step, or at a whole hour when they are longer, and cover the time.
 */
export function bucketsFor(from: number, to: number, most: number): Buckets {
  for (const stepMs of STEPS) {
    const start = Math.floor(from / Math.min(stepMs, HOUR)) * Math.min(stepMs, HOUR);
    const count = Math.max(1, Math.ceil((to - start) / stepMs));
    if (count <= most) return { from: start, stepMs, count };
  }
  throw new Error("the time is longer than the longest buckets reach");
}
