import { describe, expect, it } from "vitest";
import type { Held, Shelf } from "./pool-bucket";
import { takeFromShelves } from "./pool-bucket";

/** Shelves of so many processes, of which the base is one; the first was used longest ago. */
function fill(...counts: number[]): Shelf[] {
  return counts.map((count, index) => {
    const demand = { base: () => 1 } as Shelf["demand"];
    return { waiting: Array.from({ length: count }, () => ({}) as Held), usedMs: index, demand } as Shelf;
  });
}

const countsOf = (shelves: Shelf[]) => shelves.map(({ waiting }) => waiting.length);
const moreThan = (count: number, shelves: Shelf[]) => () =>
  countsOf(shelves).reduce((sum, each) => sum + each, 0) > count;

describe("taking from shelves", () => {
  it("takes nothing that need not be taken", () => {
    const shelves = fill(2, 3);
    expect(takeFromShelves(shelves, moreThan(5, shelves))).toEqual([]);
    expect(countsOf(shelves)).toEqual([2, 3]);
  });

  it.each([
    [6, [3, 1, 2]],
    [5, [2, 1, 2]],
    [4, [1, 1, 2]],
    [3, [1, 1, 1]],
    [2, [0, 1, 1]],
    [0, [0, 0, 0]],
  ])("leaves %i: first what is beyond the base, and of those the one used longest ago", (left, counts) => {
    const shelves = fill(4, 1, 2);
    const taken = takeFromShelves(shelves.toReversed(), moreThan(left, shelves));
    expect(countsOf(shelves)).toEqual(counts);
    expect(taken).toHaveLength(7 - left);
  });

  it("lets a shelf that lacks its base have what all others have beyond theirs, and the base of older ones", () => {
    const shelves = fill(3, 0, 3);
    const [, shelf] = shelves;
    if (shelf === undefined) throw new Error("there are three");
    takeFromShelves(shelves, () => true, { shelf, lacksBase: true });
    expect(countsOf(shelves)).toEqual([0, 0, 1]);
  });

  it("lets a shelf that lacks no more than its burst have what older ones have beyond their base", () => {
    const shelves = fill(3, 3, 3);
    const [, shelf] = shelves;
    if (shelf === undefined) throw new Error("there are three");
    takeFromShelves(shelves, () => true, { shelf, lacksBase: false });
    expect(countsOf(shelves)).toEqual([1, 3, 3]);
  });
});
