import { expect, it } from "vitest";
import { versionChoices } from "./choice";

const currentVersion = { digest: "one", number: 1, state: "approved" as const };
const versions = (["approved", "pending", "draft", "changes_requested", "rejected", "revoked"] as const).map(
  (state, index) => ({ digest: state, number: index + 1, state }),
);
const labels = (...given: Parameters<typeof versionChoices>) => versionChoices(...given).map(({ label }) => label);

it("offers the active version to every user, and pending ones to reviewers and managers", () => {
  const skill = { enabled: true, currentVersion };
  expect(labels(skill, versions, false)).toEqual(["Version 1, active"]);
  expect(labels(skill, versions, true)).toEqual([
    "Version 1, active",
    "Version 1, approved, not active",
    "Version 2, pending review",
    "Version 3, draft",
    "Version 4, changes requested",
  ]);
});

it("offers approved versions of a disabled skill to its managers, as playbooks", () => {
  const offered = versionChoices({ enabled: false, currentVersion }, [currentVersion], true);
  expect(offered).toEqual([{ digest: "one", label: "Version 1, approved, not active", isPending: true }]);
});

it("offers other people no version of a disabled or unapproved skill", () => {
  expect(labels({ enabled: false, currentVersion }, versions, false)).toEqual([]);
  expect(labels({ enabled: false, currentVersion: null }, [], true)).toEqual([]);
});
