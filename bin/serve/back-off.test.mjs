import { expect, it } from "vitest";
import { createBackOff } from "./run-services.mjs";

it("doubles from half a second to half a minute", () => {
  const delayAfter = createBackOff();
  expect(Array.from({ length: 9 }, () => delayAfter(10))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ]);
});

it("starts over after a minute of life", () => {
  const delayAfter = createBackOff();
  delayAfter(10);
  delayAfter(59_999);
  expect(delayAfter(60_000)).toBe(500);
  expect(delayAfter(10)).toBe(1_000);
});
