import { expect, test } from "vitest";
import { findSettings, settingsGroups } from "./settings-frame";

const labels = (typed: string, isAdmin = true) => findSettings(typed, isAdmin).map(({ label }) => label);

test("a person sees the pages of the account only", () => {
  expect(settingsGroups(false).map(({ title }) => title)).toEqual(["Your account"]);
  expect(labels("people", false)).toEqual([]);
  expect(labels("backup", false)).toEqual([]);
});

test.each([
  ["people", "People"],
  ["backup interval", "Backup interval (hours)"],
  ["aproval timeout", "Approval timeout (hours)"],
  ["invite", "People"],
  ["password", "Password sign-in"],
])("%s leads to %s", (typed, label) => {
  expect(labels(typed)).toContain(label);
});

test("a page of that name comes before settings, and a setting leads to its field", () => {
  expect(labels("integrations")[0]).toBe("Integrations");
  expect(findSettings("backup interval", true)[0]?.href).toBe("/settings/instance#backupEveryHours");
  expect(labels("xyzzy")).toEqual([]);
});
