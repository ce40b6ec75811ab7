import { expect, test } from "vitest";
import { pushedStream } from "./event-stream";

const never = new AbortController().signal;

test("what is pushed comes as events, in order, and the stream ends with the work", async () => {
  const response = await pushedStream<{ type: string; n: number }>(never, async (push) => {
    push({ type: "a", n: 1 });
    push({ type: "b", n: 2 });
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await response.text()).toBe('event: a\ndata: {"type":"a","n":1}\n\nevent: b\ndata: {"type":"b","n":2}\n\n');
});

test("what goes wrong before the first event is thrown, later it ends the stream", async () => {
  await expect(pushedStream(never, () => Promise.reject(new Error("not begun")))).rejects.toThrow("not begun");
  const response = await pushedStream(never, async (push) => {
    push({ type: "a" });
    throw new Error("later");
  });
  expect(await response.text()).toBe('event: a\ndata: {"type":"a"}\n\n');
});

test("the work is told when the reader hangs up", async () => {
  let hungUp = () => {};
  const told = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const response = await pushedStream(never, (push, signal) => {
    signal.addEventListener("abort", hungUp);
    push({ type: "a" });
    return told;
  });
  await response.body?.cancel();
  await told;
});

test("what goes on is not told that its client hung up, and is heard no more", async () => {
  let goOn = () => {};
  const asked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let ended: (wasAborted: boolean) => void = () => {};
  const outcome = new Promise<boolean>((resolve) => {
    ended = resolve;
  });
  const work = async (push: (event: { type: string }) => void, signal: AbortSignal) => {
    push({ type: "a" });
    await asked;
    push({ type: "b" });
    ended(signal.aborted);
  };
  const caller = new AbortController();
  const response = await pushedStream(caller.signal, work, { goesOn: true });
  await response.body?.cancel();
  caller.abort();
  goOn();
  expect(await outcome).toBe(false);
});
