import { expect, test } from "vitest";
import { formatDuration, formatExactTime, formatLimit, formatRelativeTime } from "./format-time";

const now = Date.parse("2026-03-10T12:00:00Z");
const secondsAgo = (seconds: number) => formatRelativeTime(now - seconds * 1000, now);

test.each([
  [0, "just now"],
  [9, "just now"],
  [10, "10 s ago"],
  [59.9, "59 s ago"],
  [60, "1 min ago"],
  [3_599, "59 min ago"],
  [3_600, "1 h ago"],
  [86_400, "1 day ago"],
  [5 * 86_400, "5 days ago"],
  [-120, "in 2 min"],
  [40 * 86_400, "29 Jan"],
  [400 * 86_400, "3 Feb 2025"],
])("%s seconds before now reads %s", (seconds, text) => {
  expect(secondsAgo(seconds)).toBe(text);
});

test("the exact time is in the reader's zone and names it", () => {
  expect(formatExactTime(now)).toContain("17:45:00");
});

test.each([
  [12.4, "12 ms"],
  [999, "999 ms"],
  [1_990, "1.9 s"],
  [59_999, "59.9 s"],
  [60_000, "1 min"],
  [200_000, "3 min 20 s"],
])("%s ms reads %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0.5, "0.5 s"],
  [60, "60 s"],
  [3600, "3600 s"],
])("a limit of %d seconds is written as people enter it", (seconds, text) => {
  expect(formatLimit(seconds)).toBe(text);
});
