import { expect, test } from "vitest";
import { nextTimes, requireNextTime } from "./next-times";

function next(cron: string, timeZone: string, after: string, count = 3): string[] {
  return nextTimes({ cron, timeZone }, new Date(after), count).map((time) => time.toISOString().slice(0, 16));
}

test("a time that the clock skips in spring comes as much later, and once", () => {
  expect(next("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z")).toEqual([
    "2026-03-29T01:00",
    "2026-03-30T00:30",
    "2026-03-31T00:30",
  ]);
});

test("a time that the clock has twice in autumn comes the first time alone", () => {
  expect(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z")).toEqual([
    "2026-10-25T00:30",
    "2026-10-26T01:30",
    "2026-10-27T01:30",
  ]);
});

test("a wildcard hour goes on through the hour that comes twice", () => {
  expect(next("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:10:00Z", 4)).toEqual([
    "2026-10-25T00:30",
    "2026-10-25T01:00",
    "2026-10-25T01:30",
    "2026-10-25T02:00",
  ]);
});

test("zones that are three quarters of an hour off keep their own clock, also when it changes", () => {
  expect(next("0 9 * * *", "Asia/Kathmandu", "2026-03-28T12:00:00Z", 1)).toEqual(["2026-03-29T03:15"]);
  expect(next("0 9 * * *", "Pacific/Chatham", "2026-09-25T00:00:00Z")).toEqual([
    "2026-09-25T20:15",
    "2026-09-26T19:15",
    "2026-09-27T19:15",
  ]);
});

test("the next time is later than the one that it is asked after", () => {
  expect(next("0 12 * * *", "UTC", "2026-01-01T12:00:00Z", 1)).toEqual(["2026-01-02T12:00"]);
});

test.each([
  ["61 * * * *", "UTC", "cron", "the minute (field 1) cannot be “61”"],
  ["0 25 * * *", "UTC", "cron", "the hour (field 2) cannot be “25”"],
  ["0 0 * * FOO", "UTC", "cron", "the day of week (field 5) cannot be “FOO”"],
  ["0 0 * *", "UTC", "cron", "has 4 of the five fields"],
  ["0 0 0 * * *", "UTC", "cron", "has 6 of the five fields"],
  ["@daily", "UTC", "cron", "has 1 of the five fields"],
  ["0 0 * * *", "Mars/Olympus", "timeZone", "“Mars/Olympus” is not a time zone"],
])("%s in %s is refused with the place", (cron, timeZone, path, message) => {
  expect(() => nextTimes({ cron, timeZone }, new Date(0), 1)).toThrow(
    expect.objectContaining({
      code: "invalid",
      errors: [{ path, message: expect.stringContaining(message) }],
    }),
  );
});

test("a day that there is not is refused when it is to be stored", () => {
  expect(() => requireNextTime({ cron: "0 0 30 2 *", timeZone: "UTC" }, new Date(0))).toThrow("matches no date");
});
