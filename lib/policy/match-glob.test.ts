import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { matchGlob } from "./match-glob";

test.each([
  ["csv-*", "csv-report", true],
  ["*", "x", true],
  ["a**b", "aXb", true],
  ["?sv", "CSV", true],
  ["?", "😀", true],
  ["[a-c]x", "Bx", true],
  ["[!a-c]x", "bx", false],
  ["[^a-c]x", "dx", true],
  ["[]]", "]", true],
  ["[a-]", "-", true],
  ["{csv,pdf}-report", "pdf-report", true],
  ["{a,b{c,d}}", "bd", true],
  ["{a,}x", "x", true],
  ["[{,}]{a,b}", ",b", true],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["[ab", "[ab", true],
  ["{a", "{a", true],
  ["{a}", "{a}", true],
  ["!pdf-*", "csv", false],
  ["a\\", "a\\", true],
  ["", "a", null],
  ["{a,b}".repeat(7), "a", null],
  ["a".repeat(1_001), "a", null],
])("the glob %j over %j is %s", (glob, text, expected) => {
  expect(matchGlob(glob, text)).toBe(expected);
});

test("it agrees with the matcher that shells’ globs are commonly read by", () => {
  const letters = fc.constantFrom("a", "b", "c", "-", "_");
  const words = fc.array(letters, { minLength: 1, maxLength: 3 }).map((all) => all.join(""));
  const piece = fc.oneof(
    { weight: 4, arbitrary: letters },
    { weight: 3, arbitrary: fc.constantFrom("*", "?") },
    { weight: 1, arbitrary: fc.constantFrom("[ab]", "[^a]", "[a-c]", "[^b-c]") },
    { weight: 1, arbitrary: fc.array(words, { minLength: 2, maxLength: 3 }).map((all) => `{${all.join(",")}}`) },
  );
  const globs = fc.array(piece, { minLength: 1, maxLength: 7 }).map((all) => all.join("").replace(/\*{2,}/g, "*"));
  const texts = fc.array(letters, { minLength: 1, maxLength: 8 }).map((all) => all.join(""));
  fc.assert(
    fc.property(globs, texts, (glob, text) => {
      const wanted = picomatch(glob, { bash: true, dot: true, nocase: true, noextglob: true, nonegate: true });
      expect(matchGlob(glob, text)).toBe(wanted(text));
    }),
    { numRuns: 2_000 },
  );
});

test("globs that make a backtracking matcher hang are answered, and texts are looked at a bounded number of times", () => {
  const text = "a".repeat(100_000);
  expect(matchGlob("*a*a*a*a*a*a*a*a*b", text)).toBe(false);
  expect(matchGlob(`${"*a".repeat(400)}*`, text)).toBe(true);
  expect(matchGlob(`${"{a,*a}".repeat(6)}*b`, "a".repeat(1_000))).toBe(false);
});
