import { expect, test } from "vitest";
import { acquireSlot } from "./serve-git";

const settled = async (work: Promise<unknown>) => {
  let isSettled = false;
  void work.then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
};

test("six work at a time, the others take over in turn, and who comes when too many wait is sent away", async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 6 }, acquireSlot));
  const waiting = Array.from({ length: 200 }, acquireSlot);
  expect(await settled(Promise.race(waiting))).toBe(false);
  await expect(acquireSlot()).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });

  first?.();
  first?.(); // Releasing a slot twice frees it once.
  const second = await waiting[0];
  expect(await settled(Promise.race(waiting.slice(1)))).toBe(false);
  for (const leave of [second, ...others]) leave?.();
  for (const next of waiting.slice(1)) (await next)();
  // All six are free again.
  const again = await Promise.all(Array.from({ length: 6 }, acquireSlot));
  for (const leave of again) leave();
});
