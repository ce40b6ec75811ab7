import { expect, test } from "vitest";
import { listen, wake } from "./wake-bus";

test("who waits for the end of a run sleeps on when it begins, and hears all else", async () => {
  const [ofEnd, ofAll] = [listen("run:a", undefined, "begun"), listen("run:a")];
  let isAwake = false;
  const woken = ofEnd.next(60_000).then(() => {
    isAwake = true;
  });
  wake("run:a", "begun");
  await ofAll.next(60_000);
  expect(isAwake).toBe(false);
  wake("run:a");
  await woken;
  for (const waiter of [ofEnd, ofAll]) waiter.stop();
});
