import type { Run, RunState } from "@/lib/client/runs";

const dayMs = 24 * 60 * 60_000;

export type RecentCounts = {
  counts: { state: RunState; count: number }[];
  total: number;
  /** Whether older runs of the day did not fit on the page they were counted from. */
  isPartial: boolean;
};

/** Runs of the last 24 hours by state, as far as a page of the newest ones reaches. */
export function countRecentRuns(runs: readonly Run[], now: number, hasMore: boolean): RecentCounts {
  const recent = runs.filter((run) => now - Date.parse(run.queuedAt) <= dayMs);
  const byState = new Map<RunState, number>();
  for (const { state } of recent) byState.set(state, (byState.get(state) ?? 0) + 1);
  const counts = order.flatMap((state) => {
    const count = byState.get(state) ?? 0;
    return count === 0 ? [] : [{ state, count }];
  });
  return { counts, total: recent.length, isPartial: hasMore && recent.length === runs.length };
}

const order: readonly RunState[] = [
  "succeeded",
  "failed",
  "running",
  "queued",
  "awaiting_approval",
  "cancelled",
  "rejected",
  "expired",
];
