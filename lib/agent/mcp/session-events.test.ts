import { expect, test, vi } from "vitest";
import { createConnection, createSessionEvents } from "./session-events";

const message = (id: number, text = "") => ({ jsonrpc: "2.0" as const, id, result: { text } });

async function replayed(events: ReturnType<typeof createSessionEvents>, after: string) {
  const sent: [string, unknown][] = [];
  await events.replayEventsAfter(after, { send: async (id, one) => void sent.push([id, one]) });
  return sent;
}

test("what a stream sent after an event is sent again, and nothing of another stream", async () => {
  const events = createSessionEvents();
  const start = await events.storeEvent("a", {} as never);
  await events.storeEvent("b", message(7));
  const first = await events.storeEvent("a", message(1));
  const second = await events.storeEvent("a", message(2));
  expect(await replayed(events, start)).toEqual([
    [first, message(1)],
    [second, message(2)],
  ]);
  expect(await replayed(events, first)).toEqual([[second, message(2)]]);
  expect(await replayed(events, second)).toEqual([]);
  expect(events.knows(first)).toBe(true);
  for (const unknown of ["c.1", "a", "", "a.x"]) {
    expect(events.knows(unknown), unknown).toBe(false);
  }
});

test("a stream whose next events were forgotten cannot be continued", async () => {
  const events = createSessionEvents();
  const start = await events.storeEvent("a", {} as never);
  const first = await events.storeEvent("a", message(1));
  for (let id = 2; id < 502; id += 1) await events.storeEvent("a", message(id));
  expect(events.knows(start)).toBe(false);
  expect(events.knows(first)).toBe(true);
  expect(await replayed(events, first)).toHaveLength(500);
});

test("one large event replaces all others and is kept", async () => {
  const events = createSessionEvents();
  const start = await events.storeEvent("a", {} as never);
  const other = await events.storeEvent("b", message(1));
  const large = await events.storeEvent("a", message(2, "x".repeat(3 * 1024 * 1024)));
  expect(events.knows(other)).toBe(false);
  // The forgotten first event was seen by the client, so nothing is missing after it.
  expect((await replayed(events, start)).map(([id]) => id)).toEqual([large]);
});

test("a client is lost five seconds after it went away, and not when it returned on another connection", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const [first, second] = [new AbortController(), new AbortController()];
    const connection = createConnection(first.signal);
    let lost = 0;
    const release = connection.onLost(() => {
      lost += 1;
    });
    first.abort();
    vi.advanceTimersByTime(4_000);
    connection.move(second.signal);
    vi.advanceTimersByTime(60_000);
    expect(lost).toBe(0);
    second.abort();
    vi.advanceTimersByTime(5_000);
    expect(lost).toBe(1);
    release();

    const gone = createConnection(AbortSignal.abort());
    const leave = gone.onLost(() => {
      lost += 1;
    });
    vi.advanceTimersByTime(4_999);
    leave();
    vi.advanceTimersByTime(60_000);
    expect(lost).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
