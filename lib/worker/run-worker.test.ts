import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connectServer } from "./connect-server";
import { prepareWorkDir } from "./files/work-dir";
import { endRunsIn } from "./processes/process-tree";
import type { Outcome } from "./protocol";
import { applyResponse, runWorker } from "./run-worker";
import { makeLease } from "./testing/make-lease";
import { makeWorkDir } from "./testing/make-work-dir";
import { openAccess } from "./testing/open-access";
import { type FakeServer, startFakeServer } from "./testing/start-fake-server";
import { waitUntil } from "./testing/wait-until";
import { createWorker, drainWorker, type Worker } from "./worker";

async function startWorker(server: FakeServer, slotCount = 2): Promise<{ worker: Worker; ended: Promise<void> }> {
  const workDir = await prepareWorkDir(makeWorkDir());
  const log = pino({ level: "silent" });
  const connection = connectServer({ url: server.url, token: "sgw_test" });
  const worker = createWorker({
    name: "test",
    slotCount,
    workDir,
    isolation: { kind: "none", reason: "not asked for" },
    access: openAccess(),
    capabilities: [],
    server: connection,
    log,
  });
  const ended = runWorker(worker);
  // Handles the rejection even when no test waits for it.
  ended.catch(() => {});
  onTestFinished(async () => {
    endRunsIn(workDir.runsDir);
    server.failure = null;
    drainWorker(worker);
    await ended.catch(() => {});
  });
  return { worker, ended };
}

const SUCCESS: Outcome = {
  result: {},
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

describe("a worker", () => {
  it("executes what is queued with its slots and tells every outcome once, after its events", async () => {
    const server = await startFakeServer();
    server.queue.push(...Array.from({ length: 20 }, (_, n) => makeLease("echo.sh", { args: { n } })));
    await startWorker(server);
    await waitUntil("20 outcomes", () => server.completions.length >= 20);
    const results = server.completions.map(({ outcome }) => (outcome.result as { n: number }).n);
    expect(results.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(Math.max(...server.exchanges.map((exchange) => exchange.holding.length))).toBeLessThanOrEqual(5);
    const events = server.events.filter((event) => event.text === "reading the arguments");
    expect(events).toHaveLength(20);
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 20 }, () => 2));
  });

  it("starts what has a barrier only after the server has accepted it, and gives it back when it stops before", async () => {
    const server = await startFakeServer();
    server.accepts = false;
    const [first, second] = [makeLease("echo.sh"), makeLease("echo.sh")];
    for (const { lease } of [first, second]) lease.barrier = true;
    server.queue.push(first);
    const { worker, ended } = await startWorker(server, 1);
    const asking = () => server.exchanges.filter(({ started = [] }) => started.length > 0);
    await waitUntil("two requests", () => asking().length >= 2);
    expect(asking()[0]).toMatchObject({ acknowledges: true, started: [{ runId: first.lease.runId, fence: 1 }] });
    expect([server.events, server.completions]).toEqual([[], []]);
    server.accepts = true;
    await waitUntil("the outcome", () => server.completions.length === 1);
    expect(server.completions[0]).toMatchObject({ runId: first.lease.runId, outcome: { error: null } });
    server.accepts = false;
    server.queue.push(second);
    const { runId } = second.lease;
    await waitUntil("the other request", () => asking().some(({ started }) => started?.[0]?.runId === runId));
    drainWorker(worker);
    await ended;
    expect(server.exchanges.flatMap(({ returned = [] }) => returned)).toEqual([{ runId, fence: 1 }]);
    expect(server.completions).toHaveLength(1);
  });

  it("tells what ends in one turn in one exchange", async () => {
    const server = await startFakeServer();
    const { worker } = await startWorker(server, 8);
    await waitUntil("the first exchanges", () => server.exchanges.length >= 2);
    const held = [makeLease("echo.sh"), makeLease("echo.sh"), makeLease("echo.sh")].map(({ lease }) => {
      worker.slots.take();
      return worker.outbox.track(lease);
    });
    for (const run of held) {
      await Promise.resolve();
      run.outcome = SUCCESS;
      worker.slots.free();
      worker.reportWake.notify();
    }
    await waitUntil("three outcomes", () => server.completions.length === 3);
    const telling = server.exchanges.filter(({ completions }) => completions.length > 0);
    expect(telling.map(({ completions }) => completions.length)).toEqual([3]);
  });

  it("tells of up to three ends together while runs are short and leases wait for the slots", async () => {
    const server = await startFakeServer();
    const { worker } = await startWorker(server);
    await waitUntil("the first exchanges", () => server.exchanges.length >= 2);
    const take = () => worker.slotQueue.acquire(new AbortController().signal);
    for (let count = 0; count < 20; count += 1) (await take())?.end(1);
    const [first] = [await take(), await take(), take()];
    // The clock stands still, so a slow machine cannot exceed the time limit.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const end = async () => {
      worker.outbox.track(makeLease("echo.sh").lease).outcome = SUCCESS;
      worker.reportWake.notify();
      for (let count = 0; count < 5; count += 1) await turn();
    };
    const told = () => server.exchanges.map(({ completions }) => completions.length).filter(Boolean);
    await end();
    await end();
    await end();
    await waitUntil("three outcomes", () => worker.outbox.isEmpty());
    expect(told()).toEqual([3]);
    // The waiting run now has its slot, and the next end leaves one idle.
    first?.end(1);
    await end();
    await waitUntil("another outcome", () => worker.outbox.isEmpty());
    expect(told()).toEqual([3, 1]);
  });

  it("leaves it to the exchange that carries an outcome to ask for what that frees", async () => {
    const server = await startFakeServer();
    const { worker } = await startWorker(server, 1);
    const long = makeLease("wait.sh");
    server.queue.push(long);
    await waitUntil("the run", () => worker.running.size === 1 && !worker.outbox.hasEvents());
    const before = server.exchanges.length;
    worker.outbox.track(makeLease("echo.sh").lease).outcome = SUCCESS;
    worker.slots.free();
    worker.reportWake.notify();
    await waitUntil("the outcome", () => server.completions.length === 1);
    const next = server.exchanges.slice(before).find(({ slots, completions }) => slots > 0 || completions.length > 0);
    expect([next?.slots, next?.completions.length]).toEqual([1, 1]);
    worker.slots.take();
  });

  it("gets its next leases in the exchange that carries the outcomes", async () => {
    const server = await startFakeServer();
    server.queue.push(...Array.from({ length: 20 }, (_, n) => makeLease("echo.sh", { args: { n } })));
    await startWorker(server, 8);
    await waitUntil("20 outcomes", () => server.completions.length >= 20, 25_000);
    const telling = server.exchanges.filter(({ completions }) => completions.length > 0);
    expect(telling.some(({ slots, waitSeconds }) => slots > 0 && waitSeconds === 0)).toBe(true);
    // At most one exchange for each outcome, and a few that wait for work.
    expect(telling.length).toBeLessThanOrEqual(20);
  });

  it("holds leases ahead while runs are short, and gives it back when they no longer are", async () => {
    const server = await startFakeServer();
    for (let n = 0; n < 12; n += 1) server.queue.push(makeLease("ignore-stdin.sh"));
    const { worker } = await startWorker(server);
    await waitUntil("the short runs", () => server.completions.length === 12 && worker.outbox.isEmpty());
    const long = [0, 1, 2].map(() => makeLease("wait.sh"));
    server.queue.push(...long);
    const returned = await waitUntil("a lease that is given back", () =>
      server.exchanges.flatMap((exchange) => exchange.returned ?? []).at(0),
    );
    expect(long.map(({ lease }) => lease.runId)).toContain(returned.runId);
    expect(worker.running.size).toBe(2);
    expect(server.exchanges.at(-1)?.holding).not.toContainEqual(returned);
    drainWorker(worker);
  });

  it("streams events while the run goes on and ends it when the server says cancel", async () => {
    const server = await startFakeServer();
    const kit = makeLease("wait.sh");
    server.queue.push(kit);
    await startWorker(server);
    await waitUntil("the script's first line", () => server.events.some((event) => event.text.startsWith("pid ")));
    expect(server.completions).toEqual([]);
    server.cancel.push({ runId: kit.lease.runId, fence: 1, reason: "Ann cancelled it." });
    const [completion] = await waitUntil("the outcome", () => server.completions[0] && server.completions);
    expect(completion?.outcome.error).toEqual({
      code: "cancelled",
      message: "Ann cancelled it.",
    });
  });

  it("ignores the cancellation of a run it does not have", async () => {
    const server = await startFakeServer();
    const { worker } = await startWorker(server);
    applyResponse(worker, { leases: [], cancel: [{ runId: "unknown", fence: 1, reason: "x" }] });
    server.queue.push(makeLease("ignore-stdin.sh"));
    await waitUntil("the outcome", () => server.completions.length > 0);
    expect(server.completions[0]?.outcome.error).toBeNull();
  });

  it("does not ask again and again while a cancelled run takes its time", async () => {
    const server = await startFakeServer();
    const kit = makeLease("stubborn.sh");
    server.queue.push(kit);
    await startWorker(server);
    await waitUntil("the script's first line", () => server.events.some((event) => event.text.startsWith("pid ")));
    const before = server.exchanges.length;
    server.cancel.push({ runId: kit.lease.runId, fence: 1, reason: "Ann cancelled it." });
    await waitUntil("the outcome", () => server.completions.length > 0);
    expect(server.exchanges.length - before).toBeLessThan(20);
  });

  it("starts a run anew when the server has given up the attempt it has", async () => {
    const server = await startFakeServer();
    const { lease, blobs } = makeLease("wait.sh");
    server.queue.push({ lease, blobs });
    await startWorker(server);
    await waitUntil("the first attempt", () => server.events.some((event) => event.text.startsWith("pid ")));
    const next = makeLease("ignore-stdin.sh", { runId: lease.runId, fence: 2 });
    server.queue.push(next);
    await waitUntil("both outcomes", () => server.completions.length === 2);
    const codes = server.completions.map(({ fence, outcome }) => [fence, outcome.error?.code ?? null]);
    expect(codes.sort()).toEqual([
      [1, "cancelled"],
      [2, null],
    ]);
  });

  it.each([
    ["answers 503", 503],
    ["drops the connection", null],
  ])("keeps an outcome while the server %s, and delivers it once when it is back", async (_what, failure) => {
    const server = await startFakeServer();
    server.queue.push(makeLease("ignore-stdin.sh"));
    let refusals = 0;
    server.failure = (_request, body) => {
      if (!body.includes('"outcome"')) return undefined;
      refusals += 1;
      return failure;
    };
    const { worker } = await startWorker(server);
    await waitUntil("three attempts", () => refusals >= 3);
    expect(server.completions).toEqual([]);
    server.failure = null;
    await waitUntil("the outcome is acknowledged", () => worker.outbox.isEmpty());
    expect(server.completions.map(({ outcome }) => outcome.result)).toEqual([{ ok: true }]);
  });

  it("still says that a run ended when the server refuses its result as too large", async () => {
    const server = await startFakeServer();
    server.queue.push(makeLease("flood-stdout.py"));
    server.failure = (_request, body) => (body.length > 20_000 ? 413 : undefined);
    const { worker } = await startWorker(server);
    await waitUntil("the outcome is acknowledged", () => server.completions.length > 0 && worker.outbox.isEmpty());
    expect(server.completions).toHaveLength(1);
    expect(server.completions[0]?.outcome.error).toMatchObject({ code: "output_limit" });
  });

  it("drains: ends its runs as worker_stopped, says so, and asks for nothing more", async () => {
    const server = await startFakeServer();
    server.queue.push(makeLease("wait.sh"));
    const { worker, ended } = await startWorker(server);
    await waitUntil("the script's first line", () => server.events.some((event) => event.text.startsWith("pid ")));
    drainWorker(worker);
    await ended;
    expect(server.completions.map(({ outcome }) => outcome.error?.code)).toEqual(["worker_stopped"]);
    expect(server.exchanges.at(-1)).toMatchObject({ draining: true, slots: 0, holding: [] });
  });

  it("fails when its token is not accepted any more", async () => {
    const server = await startFakeServer();
    server.failure = () => 401;
    const { ended } = await startWorker(server);
    await expect(ended).rejects.toMatchObject({ isUnauthorized: true });
  });
});
