import fc from "fast-check";
import { expect, it } from "vitest";
import { alphabet, joinedRuns } from "./encoded-text";

it("finds the runs that a search from letter to letter finds", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "b", "b", " ", "é"), maxLength: 80 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (text, min) => {
      const expected = [...text.matchAll(new RegExp(`[ab]{${min},}`, "g"))].map(([run], at) => ({ run, at }));
      const found = joinedRuns(text, alphabet(/[ab]/, min));
      expect(found.map(({ run }, at) => ({ run, at }))).toEqual(expected);
      for (const { run, source } of found) expect(text.startsWith(run, source)).toBe(true);
    }),
  );
});

it.each([
  ["wrapped lines", `${"ab".repeat(20)}\n  ${"ba".repeat(20)}\nb c`],
  ["string literals", `"${"ab".repeat(20)}" + "${"ba".repeat(20)}" + "b"`],
])("joins %s", (_what, text) => {
  expect(joinedRuns(text, alphabet(/[ab]/, 20))).toEqual([
    { run: `${"ab".repeat(20)}${"ba".repeat(20)}b`, source: text.indexOf("a") },
  ]);
});
