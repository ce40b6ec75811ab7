import { expect, test } from "vitest";
import { Settings } from "@/lib/settings/schema";
import { settingGroups } from "./setting-groups";

test("each setting is in one group", () => {
  const grouped = settingGroups.flatMap(({ keys }) => keys);
  expect([...grouped].sort()).toEqual(Object.keys(Settings.shape).sort());
});
