import { expect, it } from "vitest";
import { Settings } from "@/lib/settings/schema";
import { settingLabel } from "./setting-label";

it.each(Object.keys(Settings.shape))("labels the setting %s", (key) => {
  expect(settingLabel(key)).not.toBe(key);
});

it.each([
  ["maxTimeoutSeconds", "Max run time (seconds)"],
  ["stdoutLimitMiB", "Max result size (MiB)"],
  ["importsPerHour", "Max imports per person (per hour)"],
  ["backupEveryHours", "Backup interval (hours)"],
])("puts the unit of %s into the label", (key, label) => {
  expect(settingLabel(key)).toBe(label);
});
