import fc from "fast-check";
import { expect, test } from "vitest";
import { takeFirst } from "./take-first";

test("takes what a stable sort puts first", () => {
  const item = fc.record({ rank: fc.integer({ min: 0, max: 4 }), id: fc.integer() });
  fc.assert(
    fc.property(fc.array(item), fc.integer({ min: 0, max: 8 }), (items, count) => {
      const compare = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank;
      expect(takeFirst(items, count, compare)).toEqual(items.toSorted(compare).slice(0, count));
    }),
  );
});
