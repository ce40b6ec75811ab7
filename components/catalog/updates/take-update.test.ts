import { expect, test } from "vitest";
import { changeWords } from "./take-update";

test("changes are counted by their kind, changed files first", () => {
  const file = (change: "added" | "removed" | "changed") => ({ path: `${change}.md`, change });
  expect(changeWords([file("added"), file("changed"), file("changed")])).toBe("2 files changed, 1 added");
  expect(changeWords([file("removed")])).toBe("1 file removed");
  expect(changeWords([])).toBe("No file differs");
});
