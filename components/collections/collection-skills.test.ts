import { expect, test } from "vitest";
import { moveItem } from "./collection-skills";

test.each([
  [0, 2, ["b", "c", "a"]],
  [2, 0, ["c", "a", "b"]],
  [1, 1, ["a", "b", "c"]],
  [0, 3, ["a", "b", "c"]],
  [-1, 0, ["a", "b", "c"]],
])("from %i to %i", (from, to, moved) => {
  expect(moveItem(["a", "b", "c"], from, to)).toEqual(moved);
});
