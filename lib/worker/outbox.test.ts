import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createOutbox, type HeldRun } from "./outbox";
import { MAX_EVENTS_PER_EXCHANGE, type Outcome, type RunEventItem } from "./protocol";
import { makeLease } from "./testing/make-lease";

const outcome: Outcome = {
  result: { ok: true },
  error: null,
  exitCode: 0,
  signal: null,
  timedOut: false,
  truncated: false,
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: "2026-01-01T00:00:01.000Z",
  durationMs: 1000,
  rawOutput: null,
};

function addEvents(run: HeldRun, count: number, text = "x"): void {
  const at = outcome.startedAt;
  const items = Array.from({ length: count }, (_, n): RunEventItem => ({ seq: n + 1, at, stream: "stderr", text }));
  run.events.push(...items);
}

describe("an outbox", () => {
  it("keeps what it reports until that is acknowledged, and then says it no more", () => {
    const outbox = createOutbox();
    const run = outbox.track(makeLease("echo.sh").lease);
    addEvents(run, 2);
    run.outcome = outcome;
    const report = outbox.nextReport();
    expect(outbox.nextReport()).toEqual(report);
    outbox.acknowledge(report);
    expect(outbox.isEmpty()).toBe(true);
    expect(outbox.nextReport()).toEqual({ events: [], completions: [] });
  });

  it("keeps events that came while a report was under way", () => {
    const outbox = createOutbox();
    const run = outbox.track(makeLease("echo.sh").lease);
    addEvents(run, 1);
    const report = outbox.nextReport();
    addEvents(run, 1, "later");
    outbox.acknowledge(report);
    expect(outbox.nextReport().events[0]?.items.map((item) => item.text)).toEqual(["later"]);
  });

  it("gives back a lease at once, holds it no more, and says so until it is heard", () => {
    const outbox = createOutbox();
    const run = outbox.track(makeLease("echo.sh").lease);
    outbox.returnLease(run);
    expect([outbox.pendingOutcomes(), outbox.isEmpty(), outbox.heldRuns()]).toEqual([1, false, []]);
    const report = outbox.nextReport();
    expect(report).toEqual({
      events: [],
      completions: [],
      returned: [{ runId: run.runId, fence: run.fence }],
    });
    expect(outbox.nextReport()).toEqual(report);
    outbox.acknowledge(report);
    expect([outbox.pendingOutcomes(), outbox.isEmpty()]).toEqual([0, true]);
  });

  it("acknowledges at once what has a barrier, other runs when they take 250 ms, and none before its turn", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const outbox = createOutbox();
    const [plain, guarded] = [outbox.track(makeLease("echo.sh").lease), outbox.track(makeLease("echo.sh").lease)];
    outbox.track(makeLease("echo.sh").lease);
    const { signal } = new AbortController();
    const started = () => (outbox.nextReport().started ?? []).map(({ runId }) => runId);
    expect(await outbox.requestStart(plain, false, signal)).toBe(true);
    const begun = outbox.requestStart(guarded, true, signal);
    expect([outbox.pendingBarriers(), started()]).toEqual([1, [guarded.runId]]);
    outbox.acknowledge(outbox.nextReport());
    expect([outbox.pendingBarriers(), started()]).toEqual([0, [guarded.runId]]);
    vi.advanceTimersByTime(250);
    expect(started()).toEqual([plain.runId, guarded.runId]);
    outbox.acceptStarts([guarded, plain]);
    expect([await begun, started()]).toEqual([true, []]);
  });

  it("sends an outcome only with or after all events of its run", () => {
    const outbox = createOutbox();
    const run = outbox.track(makeLease("echo.sh").lease);
    addEvents(run, MAX_EVENTS_PER_EXCHANGE + 1);
    run.outcome = outcome;
    const first = outbox.nextReport();
    expect([first.events[0]?.items.length, first.completions.length]).toEqual([MAX_EVENTS_PER_EXCHANGE, 0]);
    outbox.acknowledge(first);
    const second = outbox.nextReport();
    expect([second.events[0]?.items.length, second.completions.length]).toEqual([1, 1]);
  });

  it("keeps a report near 1 MiB, but sends a larger outcome alone", () => {
    const outbox = createOutbox();
    const big = outbox.track(makeLease("echo.sh").lease);
    big.outcome = { ...outcome, result: "x".repeat(3 * 1024 * 1024) };
    const other = outbox.track(makeLease("echo.sh").lease);
    addEvents(other, 100, "x".repeat(16_000));
    const first = outbox.nextReport();
    expect([first.events.length, first.completions.length]).toEqual([0, 1]);
    outbox.acknowledge(first);
    expect(outbox.nextReport().events[0]?.items.length).toBeLessThan(80);
  });

  it("finds the one report that the server refuses, gives up its content and delivers the rest", () => {
    const outbox = createOutbox();
    for (const size of [10, 5000, 10]) {
      const run = outbox.track(makeLease("echo.sh").lease);
      run.outcome = { ...outcome, result: "x".repeat(size) };
    }
    const delivered: Outcome[] = [];
    for (let attempt = 0; attempt < 20 && !outbox.isEmpty(); attempt += 1) {
      const report = outbox.nextReport();
      if (JSON.stringify(report).length > 3000) outbox.refuse(report, "413");
      else {
        delivered.push(...report.completions.map((completion) => completion.outcome));
        outbox.acknowledge(report);
      }
    }
    expect(delivered.map((of) => of.error?.code ?? null).sort()).toEqual([null, null, "output_limit"].sort());
  });
});
