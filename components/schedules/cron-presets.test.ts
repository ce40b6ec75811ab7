import { expect, test } from "vitest";
import { describeCron, readCron, readTime, writeCron } from "./cron-presets";

test.each([
  ["0 * * * *", "hourly", "Every hour"],
  ["20 * * * *", "hourly", "Every hour at 20 min past"],
  ["5 7 * * *", "daily", "Daily at 07:05"],
  ["30 18 * * 1-5", "weekdays", "Weekdays at 18:30"],
  ["0 9 * * 0", "weekly", "Sundays at 09:00"],
  ["0 9 31 * *", "monthly", "Monthly on day 31 at 09:00"],
])("%s is the preset %s, %s, and is written the same again", (cron, preset, words) => {
  const choice = readCron(cron);
  expect(choice.preset).toBe(preset);
  expect(describeCron(cron)).toBe(words);
  expect(writeCron(choice)).toBe(cron);
});

test.each(["*/5 * * * *", "0 9 1 1 *", "0 9 1 * 1", "0 9 * * 7", "0 9 0 * *", "0 0 9 * * *", "", "nonsense"])(
  "“%s” is custom",
  (cron) => {
    expect(readCron(cron).preset).toBe("custom");
    expect(describeCron(cron)).toBe("Custom");
  },
);

test("describes a run every minute", () => {
  expect(describeCron("* * * * *")).toBe("Every minute");
});

test("reads no time from an empty field", () => {
  expect(readTime("")).toBeNull();
  expect(readTime("07:05")).toEqual({ hour: 7, minute: 5 });
});
