import fc from "fast-check";
import { expect, test } from "vitest";
import { isKnownBeginning } from "./select-entries";

test("a prefix is known exactly when a word begins with it, in any script", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "z", "é", "表", "𝒳"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), word, (given, sought) => {
      const words = [...new Set(given)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(isKnownBeginning(sought, { words })).toBe(words.some((one) => one.startsWith(sought)));
    }),
  );
});
