import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { countChanges, diffRows, FileDiffView } from "./file-diff";

afterEach(cleanup);

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

it("colours each line as part of its own side, and changes no text", async () => {
  const lines = [" a = 1", '-b = """x', '-def"""', "+def c():", "+  return 1", "\\ No newline at end of file"];
  const modes = { modeBefore: "644" as const, modeAfter: "644" as const };
  const hunks = [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines }];
  const { container } = render(<FileDiffView file={{ path: "a.py", change: "changed", ...modes, hunks }} />);
  const keywords = () => [...container.querySelectorAll(".text-code-keyword")].map((one) => one.textContent);
  await waitFor(() => expect(keywords()).toEqual(["1", "def", "return", "1"]));
  const strings = [...container.querySelectorAll(".text-code-string")].map((one) => one.textContent);
  expect(strings).toEqual(['"""x', 'def"""']);
  const shown = [...container.querySelectorAll("[data-line] > span:last-child bdi")].map((one) => one.textContent);
  expect(shown).toEqual(["a = 1", 'b = """x', 'def"""', "def c():", "  return 1", "No newline at end of file"]);
});
