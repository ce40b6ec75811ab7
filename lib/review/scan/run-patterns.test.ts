import fc from "fast-check";
import { expect, it } from "vitest";
import { createHintFinder } from "./run-patterns";

it("finds what searching for each text by itself finds", () => {
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

it("takes the letters that patterns without regard to case take for s and k", () => {
  expect(createHintFinder(["sk"])("\u017f\u212a")).toEqual([[0]]);
});
