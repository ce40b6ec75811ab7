import { describe, expect, it } from "vitest";
import type { Run } from "@/lib/client/runs";
import { countRecentRuns } from "./count-by-state";

const now = Date.UTC(2026, 0, 2);
const run = (state: Run["state"], hoursAgo: number) =>
  ({ state, queuedAt: new Date(now - hoursAgo * 3_600_000).toISOString() }) as Run;

describe("countRecentRuns", () => {
  it("counts a day by state, and says when older runs of it did not fit", () => {
    const runs = [run("failed", 1), run("succeeded", 2), run("succeeded", 23)];
    const counts = [
      { state: "succeeded", count: 2 },
      { state: "failed", count: 1 },
    ];
    expect(countRecentRuns(runs, now, true)).toEqual({ counts, total: 3, isPartial: true });
    expect(countRecentRuns([...runs, run("failed", 25)], now, true)).toEqual({ counts, total: 3, isPartial: false });
    expect(countRecentRuns(runs, now, false).isPartial).toBe(false);
  });
});
