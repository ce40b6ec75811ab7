import { afterEach, expect, it, vi } from "vitest";
import { onStopSignal } from "./stop-signals.mjs";

let stopListening = () => {};
afterEach(() => {
  stopListening();
  vi.useRealTimers();
});

it("takes the signal that npm forwards for the same key press, and a later one for insisting", () => {
  vi.useFakeTimers();
  const onStop = vi.fn();
  const onInsist = vi.fn();
  stopListening = onStopSignal(onStop, onInsist);
  process.emit("SIGINT", "SIGINT");
  vi.advanceTimersByTime(50);
  process.emit("SIGINT", "SIGINT");
  expect(onStop).toHaveBeenCalledTimes(1);
  expect(onInsist).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  process.emit("SIGINT", "SIGINT");
  expect(onInsist).toHaveBeenCalledTimes(1);
});
