import { beyondPlain, type Permission } from "@/lib/review/verify/judge-run";

/** Counts what the sequences reached, so that a test that does nothing is noticed. */
export type Statistics = ReturnType<typeof createStatistics>;

export function createStatistics() {
  const counts = new Map<string, number>();
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  let reached = new Set<string>();
  return {
    counts,
    count,
    /** Counts `what` once for each sequence. */
    reach: (what: string) => {
      if (!reached.has(what)) count(what);
      reached.add(what);
    },
    countAnswer: (request: string, outcome: string) => {
      const path = request
        .replace(/\/[0-9a-f]{64}(?=\/|$)/g, "/{digest}")
        .replace(/\/[0-9a-f-]{36}(?=[/?]|$)/g, "/{id}");
      count(`${path}: ${outcome}`);
    },
    nextSequence: () => {
      reached = new Set();
      count("sequences");
    },
    countStarted: (given: Permission[]) => {
      count("started runs");
      for (const kind of new Set(beyondPlain(given).map(({ kind }) => kind))) count(`started with ${kind}`);
    },
    of: (what: string) => counts.get(what) ?? 0,
    write: () =>
      [...counts]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([what, times]) => `${String(times).padStart(8)}  ${what}`)
        .join("\n"),
  };
}
