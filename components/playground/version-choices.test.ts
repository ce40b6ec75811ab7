import { expect, it } from "vitest";
import type { Skill } from "@/lib/skills/schema";
import { versionChoices } from "./version-choices";

const currentVersion: Skill["currentVersion"] = { digest: "one", number: 1, state: "approved" };
const versions = (["approved", "pending", "draft", "changes_requested", "rejected", "revoked"] as const).map(
  (state, index) => ({ digest: state, number: index + 1, state }),
);
const labels = (...given: Parameters<typeof versionChoices>) => versionChoices(...given).map(({ label }) => label);

it("offers what serves to everybody, and what waits to those who may see it work", () => {
  const skill = { enabled: true, currentVersion };
  expect(labels(skill, versions, false)).toEqual(["Version 1, serving"]);
  expect(labels(skill, versions, true)).toEqual([
    "Version 1, serving",
    "Version 2, waits for review",
    "Version 3, draft",
    "Version 4, changes asked for",
  ]);
});

it("offers nothing of a skill that is switched off or was never approved", () => {
  expect(labels({ enabled: false, currentVersion }, versions, false)).toEqual([]);
  expect(labels({ enabled: false, currentVersion: null }, [], true)).toEqual([]);
});
