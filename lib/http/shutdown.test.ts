import { getEventListeners, once } from "node:events";
import { expect, test } from "vitest";
import { shutdownSignal, untilShutdown } from "./shutdown";

const aborted = (signal: AbortSignal) => once(signal, "abort").then(() => "ended early");
const held = () => getEventListeners(shutdownSignal(), "abort").length;

test("nothing of a request stays with the process, whether its work ends or fails", async () => {
  const caller = new AbortController().signal;
  const before = held();
  const during = untilShutdown(caller, async ({ aborted }) => [aborted, held()]);
  expect(await during).toEqual([false, before + 1]);
  await expect(untilShutdown(caller, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(held()).toBe(before);
  expect(getEventListeners(caller, "abort")).toEqual([]);
});

test("work ends when its caller hangs up, also when that was before", async () => {
  const caller = new AbortController();
  const ended = untilShutdown(caller.signal, aborted);
  caller.abort();
  expect(await ended).toBe("ended early");
  expect(await untilShutdown(caller.signal, async (signal) => signal.aborted)).toBe(true);
});

test("work ends when the process begins to stop", async () => {
  const ended = untilShutdown(new AbortController().signal, aborted);
  process.emit("skillgate:stopping" as "disconnect");
  expect(await ended).toBe("ended early");
});
