import { expect, test } from "vitest";
import { describeChanges } from "./import-update";

test("changes are counted by their kind, changed files first", () => {
  const file = (change: "added" | "removed" | "changed") => ({ path: `${change}.md`, change });
  expect(describeChanges([file("added"), file("changed"), file("changed")])).toBe("2 files changed, 1 added");
  expect(describeChanges([file("removed")])).toBe("1 file removed");
  expect(describeChanges([])).toBe("No changed files");
});
