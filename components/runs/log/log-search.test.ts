import { describe, expect, it } from "vitest";
import { firstHitFrom, hitsOfLine, logPattern, noHits, searchLog } from "./log-search";

const lines = (...texts: string[]) => texts.map((plain) => ({ plain }));

describe("searchLog", () => {
  it("finds every match, ignoring case and without pattern syntax", () => {
    const hits = searchLog(noHits, lines("a.b A.B", "axb", "İ a.b"), logPattern("a.b"));
    expect(hits.lines).toEqual([0, 0, 2]);
    expect(hits.starts).toEqual([0, 4, 2]);
    expect(hitsOfLine(hits, 0)).toEqual([
      { start: 0, end: 3, place: 0 },
      { start: 4, end: 7, place: 1 },
    ]);
    expect(hitsOfLine(hits, 1)).toEqual([]);
  });

  it.each(["[", "(", "\\", "*", "+?", "a-b", "/", "{1}", "^$"])("can search for %s", (query) => {
    expect(searchLog(noHits, lines(`x${query}y`), logPattern(query)).starts).toEqual([1]);
  });

  it("searches only new lines while a log grows", () => {
    const pattern = logPattern("hit");
    const first = searchLog(noHits, lines("hit", "no"), pattern);
    // A line is not read twice, so its changed text does not matter.
    const grown = searchLog(first, lines("changed", "no", "hit hit"), pattern);
    expect(grown.lines).toEqual([0, 2, 2]);
    expect(searchLog(grown, lines("changed", "no", "hit hit"), pattern)).toBe(grown);
  });

  it("starts over for another text", () => {
    const first = searchLog(noHits, lines("one two"), logPattern("one"));
    expect(searchLog(first, lines("one two"), logPattern("two")).starts).toEqual([4]);
    expect(searchLog(first, lines("one two"), logPattern(""))).toEqual(noHits);
  });

  it("continues from the visible line and wraps around", () => {
    const hits = searchLog(noHits, lines("x", "hit", "x", "hit"), logPattern("hit"));
    expect([0, 1, 2, 3, 4].map((line) => firstHitFrom(hits, line))).toEqual([0, 0, 1, 1, 0]);
    expect(firstHitFrom(noHits, 0)).toBe(-1);
  });
});
