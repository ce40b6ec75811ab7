import fc from "fast-check";
import { expect, it } from "vitest";
import { compilePattern, estimateInstructions } from "./args-schema";

it.each([
  ["^(a+)+$", "aaaa!", false],
  ["(a|a)*$", "aaaa", true],
  ["^\\u00e9[^]\\/$", "éx/", true],
  ["\\d", "x1", true],
])("tests %s as JavaScript would", (source, text, expected) => {
  expect(compilePattern(source).test(text)).toBe(expected);
  expect(new RegExp(source).test(text)).toBe(expected);
});

it.each(["(?=x)", "(a)\\1", "(", "x{1001}", "x".repeat(1_001)])("throws for %s", (source) => {
  expect(() => compilePattern(source)).toThrow();
});

it("never estimates much less than the compiled size", () => {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("a", "[a-z]", "\\d", "\\p{L}", ".", "\\x{41}"),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie("pattern"), fc.constantFrom("{2,9}", "{7}", "{3,}", "*", "+?")).map(([a, b]) => `(${a})${b}`),
    ),
  }));
  fc.assert(
    fc.property(pattern, (source) => {
      const instructions = instructionsOrNull(source);
      if (instructions !== null) expect(instructions).toBeLessThanOrEqual(20 + 4 * estimateInstructions(source));
    }),
  );
});

function instructionsOrNull(source: string): number | null {
  try {
    return compilePattern(source).instructions;
  } catch {
    // Nested repeats over RE2's own limit do not compile.
    return null;
  }
}
