import { describe, expect, it } from "vitest";
import { timesOf } from "./run-times";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const now = Date.parse(at(20));

describe("timesOf", () => {
  it.each([
    [
      "waits",
      { queuedAt: at(0), startedAt: null, finishedAt: null, durationMs: null },
      { waitedMs: 20_000, sandboxMs: null, ranMs: null },
    ],
    [
      "runs",
      { queuedAt: at(0), startedAt: at(5), finishedAt: null, durationMs: null },
      { waitedMs: 5_000, sandboxMs: null, ranMs: 15_000 },
    ],
    [
      "has ended",
      { queuedAt: at(0), startedAt: at(5), finishedAt: at(9), durationMs: 3_900 },
      { waitedMs: 5_000, sandboxMs: null, ranMs: 3_900 },
    ],
    [
      "has ended, with its sandbox apart",
      { queuedAt: at(0), startedAt: at(5), finishedAt: at(9), durationMs: 3_900, sandboxMs: 400 },
      { waitedMs: 5_000, sandboxMs: 400, ranMs: 3_500 },
    ],
    [
      "was shorter than what it took to begin",
      { queuedAt: at(0), startedAt: at(5), finishedAt: at(5), durationMs: 300, sandboxMs: 900 },
      { waitedMs: 4_100, sandboxMs: 900, ranMs: 300 },
    ],
    [
      "was cancelled in the queue",
      { queuedAt: at(0), startedAt: null, finishedAt: at(3), durationMs: null },
      { waitedMs: 3_000, sandboxMs: null, ranMs: null },
    ],
    [
      "was taken by a clock that runs behind",
      { queuedAt: at(5), startedAt: at(4), finishedAt: null, durationMs: null },
      { waitedMs: 0, sandboxMs: null, ranMs: 16_000 },
    ],
  ])("tells the times of a run that %s", (_, run, times) => {
    expect(timesOf(run, now)).toEqual(times);
  });
});
