import { getEventListeners, once } from "node:events";
import { expect, test } from "vitest";
import { stoppingSignal, untilStopping } from "./stopping";

const aborted = (signal: AbortSignal) => once(signal, "abort").then(() => "ended early");
const held = () => getEventListeners(stoppingSignal(), "abort").length;

test("nothing of a request stays with the process, whether its work ends or fails", async () => {
  const caller = new AbortController().signal;
  const before = held();
  const during = untilStopping(caller, async ({ aborted }) => [aborted, held()]);
  expect(await during).toEqual([false, before + 1]);
  await expect(untilStopping(caller, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(held()).toBe(before);
  expect(getEventListeners(caller, "abort")).toEqual([]);
});

test("work ends when its caller hangs up, also when that was before", async () => {
  const caller = new AbortController();
  const ended = untilStopping(caller.signal, aborted);
  caller.abort();
  expect(await ended).toBe("ended early");
  expect(await untilStopping(caller.signal, async (signal) => signal.aborted)).toBe(true);
});

test("work ends when the process begins to stop", async () => {
  const ended = untilStopping(new AbortController().signal, aborted);
  process.emit("skillgate:stopping" as "disconnect");
  expect(await ended).toBe("ended early");
});
