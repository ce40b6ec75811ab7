import { expect, it } from "vitest";
import { countChanges, diffRows } from "./file-diff";

const hunk = {
  oldStart: 4,
  oldLines: 3,
  newStart: 4,
  newLines: 3,
  lines: [" a", "-b", "+c", " d", "\\ No newline at end of file"],
};

it("numbers both sides separately", () => {
  expect(diffRows(hunk).map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["context", 4, 4],
    ["removed", 5, null],
    ["added", null, 5],
    ["context", 6, 6],
    ["note", null, null],
  ]);
});

it("counts added and removed lines, and none for a binary", () => {
  const file = { path: "a", change: "changed" as const, modeBefore: "644" as const, modeAfter: "644" as const };
  expect(countChanges({ ...file, hunks: [hunk, hunk] })).toEqual({ added: 2, removed: 2 });
  expect(countChanges({ ...file, hunks: null })).toEqual({ added: 0, removed: 0 });
});
