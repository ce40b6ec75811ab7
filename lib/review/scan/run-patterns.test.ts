import fc from "fast-check";
import { expect, it } from "vitest";
import { createHintFinder } from "./run-patterns";

it("finds the same as a separate search for each text", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom("a", "B", "c", " ", "é"), maxLength: 60 }),
      (hints, text) => {
        const lower = text.toLowerCase();
        const expected = hints.map((hint) => [...lower].flatMap((_, at) => (lower.startsWith(hint, at) ? [at] : [])));
        expect(createHintFinder(hints)(text)).toEqual(expected);
      },
    ),
  );
});

it("matches the non-ASCII letters that case-insensitive patterns match for s and k", () => {
  expect(createHintFinder(["sk"])("\u017f\u212a")).toEqual([[0]]);
});
