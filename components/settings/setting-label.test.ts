import { expect, it } from "vitest";
import { settingLabel } from "./setting-label";

it.each([
  ["instanceName", "Instance name"],
  ["maxTimeoutSeconds", "Max timeout seconds"],
  ["stdoutLimitMiB", "Stdout limit MiB"],
  ["importsPerHour", "Imports per hour"],
  ["dangerousNeedsSop", "Dangerous runs need a procedure"],
])("writes the key %s as %s", (key, label) => {
  expect(settingLabel(key)).toBe(label);
});
