import { describe, expect, it } from "vitest";
import { describeCounts, detailOf, hasProblem, limitLabel } from "./step-labels";

const skill = { id: "1", name: "commit-helper", label: null };

describe("detailOf", () => {
  it.each([
    ["loaded", skill, "loaded commit-helper, limited to Read", "Limited to Read"],
    ["loaded", skill, "loaded commit-helper", ""],
    ["loaded", skill, "loaded commit-helper for a sub-agent", "For a sub-agent"],
    ["read", skill, "read docs/a.md of commit-helper", "docs/a.md"],
    ["ran", skill, "commit-helper: succeeded", "Succeeded"],
    ["listed", null, "was told of 12 tools", "Was told of 12 tools"],
    ["refused", null, "It is not on the list.", "It is not on the list."],
  ] as const)("of %s says what does not stand beside it", (kind, of, detail, expected) => {
    expect(detailOf({ kind, skill: of, detail })).toBe(expected);
  });
});

it("lists the most frequent kind of step first", () => {
  expect(describeCounts({ listed: 2, refused: 5 })).toBe("7 steps: 5 refused, 2 listed");
  expect(describeCounts({ ran: 1 })).toBe("1 step: 1 ran");
  expect(describeCounts({})).toBe("No step yet");
});

it("marks every refused or failed step as a problem", () => {
  expect(hasProblem({ kind: "ran", outcome: "ok" })).toBe(false);
  expect(hasProblem({ kind: "ran", outcome: "failed" })).toBe(true);
  expect(hasProblem({ kind: "refused", outcome: "refused" })).toBe(true);
});

it("tells no limit, a limit and an empty limit apart", () => {
  expect([limitLabel(null), limitLabel(["Read"]), limitLabel([])]).toEqual([
    "no tool limit",
    "only 1 tool",
    "only built-in tools",
  ]);
});
