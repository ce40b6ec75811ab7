import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSlotQueue, type SlotHold } from "./slots";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new AbortController().signal;
const takeAll = (turns: ReturnType<typeof createSlotQueue>, count: number) =>
  Promise.all(Array.from({ length: count }, () => turns.acquire(never()))) as Promise<SlotHold[]>;

/** Follows a promise: `value` is its result, or "waiting" until then. */
function watch<T>(promise: Promise<T>): { value: T | "waiting" } {
  const seen: { value: T | "waiting" } = { value: "waiting" };
  void promise.then((value) => {
    seen.value = value;
  });
  return seen;
}

describe("turns", () => {
  it("are at most as many as slots, and handed on in the order they were asked for", async () => {
    const turns = createSlotQueue(2);
    const [first] = await takeAll(turns, 2);
    const waiting = [watch(turns.acquire(never())), watch(turns.acquire(never()))];
    await vi.advanceTimersByTimeAsync(10);
    expect(waiting.map(({ value }) => value)).toEqual(["waiting", "waiting"]);
    first?.end(10);
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting.map(({ value }) => value === "waiting")).toEqual([false, true]);
  });

  it("are waited for a moment, and not taken later", async () => {
    const turns = createSlotQueue(1);
    const [held] = await takeAll(turns, 1);
    const late = watch(turns.acquire(never()));
    await vi.advanceTimersByTimeAsync(250);
    expect(late.value).toBeNull();
    held?.end(1000);
    expect(await turns.acquire(never())).not.toBeNull();
  });

  it("are not waited for once the run shall stop", async () => {
    const turns = createSlotQueue(1);
    const [held] = await takeAll(turns, 1);
    const stop = new AbortController();
    const stopped = watch(turns.acquire(stop.signal));
    stop.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect([stopped.value, await turns.acquire(stop.signal)]).toEqual([null, null]);
    held?.end(1);
    expect(await turns.acquire(never())).not.toBeNull();
  });

  it("allow three leases ahead while eight runs in a row were short, and none after a long one or a long wait", async () => {
    const turns = createSlotQueue(1);
    const run = async (tookMs: number) => (await turns.acquire(never()))?.end(tookMs);
    for (let count = 0; count < 7; count += 1) await run(99);
    expect(turns.prefetchLimit()).toBe(0);
    await run(99);
    expect(turns.prefetchLimit()).toBe(3);
    await run(100);
    expect(turns.prefetchLimit()).toBe(0);
    for (let count = 0; count < 8; count += 1) await run(1);
    expect(turns.prefetchLimit()).toBe(3);
    await turns.acquire(never());
    void turns.acquire(never());
    await vi.advanceTimersByTimeAsync(250);
    expect(turns.prefetchLimit()).toBe(0);
  });

  it("tell that an end is due when runs are short enough for it and another waits for a slot", async () => {
    const turns = createSlotQueue(2);
    const run = async (tookMs: number) => (await turns.acquire(never()))?.end(tookMs);
    for (let count = 0; count < 20; count += 1) await run(10);
    const [first] = await takeAll(turns, 2);
    expect(turns.expectsEndWithin(10)).toBe(false);
    void turns.acquire(never());
    expect([turns.expectsEndWithin(10), turns.expectsEndWithin(5)]).toEqual([true, false]);
    first?.end(10);
    expect(turns.expectsEndWithin(10)).toBe(false);
    for (let count = 0; count < 2; count += 1) void turns.acquire(never());
    expect(turns.expectsEndWithin(10)).toBe(true);
  });

  it("expect no end soon once runs take longer", async () => {
    const turns = createSlotQueue(1);
    const run = async (tookMs: number) => (await turns.acquire(never()))?.end(tookMs);
    for (let count = 0; count < 20; count += 1) await run(1);
    await run(200);
    await turns.acquire(never());
    void turns.acquire(never());
    expect(turns.expectsEndWithin(10)).toBe(false);
  });
});
