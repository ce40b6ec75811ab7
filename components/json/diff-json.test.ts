import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffJson, isSame, maxChanges } from "./diff-json";

describe("diffJson", () => {
  it("lists added, removed and changed values", () => {
    expect(diffJson({ a: 1, b: 2, d: { e: 1 } }, { b: 3, c: null, d: { e: 1 } }).changes).toEqual([
      { kind: "removed", path: "/a", before: 1 },
      { kind: "changed", path: "/b", before: 2, after: 3 },
      { kind: "added", path: "/c", after: null },
    ]);
  });

  it("ignores the order of keys", () => {
    expect(diffJson({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }).changes).toEqual([]);
  });

  it("reports an inserted list entry as one change", () => {
    expect(diffJson([1, 2, 3], [1, 9, 2, 3]).changes).toEqual([{ kind: "added", path: "/1", after: 9 }]);
    expect(diffJson([1, 2, 3], [1, 3]).changes).toEqual([{ kind: "removed", path: "/1", before: 2 }]);
    expect(diffJson([{ a: 1 }], [{ a: 2 }]).changes).toEqual([{ kind: "changed", path: "/0/a", before: 1, after: 2 }]);
  });

  it.each([
    [null, {}],
    [[], {}],
    ["1", 1],
    [undefined, null],
  ])("tells %j from %j", (before, after) => {
    expect(diffJson(before, after).changes).toEqual([{ kind: "changed", path: "", before, after }]);
  });

  it("stops at its limit and reports it", () => {
    const many = (value: number) => Array.from({ length: 2_000 }, () => value);
    const diff = diffJson(many(1), many(2));
    expect(diff.changes).toHaveLength(maxChanges);
    expect(diff.isCut).toBe(true);
  });

  it("finds no changes exactly when two values are equal", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        expect(diffJson(one, structuredClone(one)).changes).toEqual([]);
        expect(diffJson(one, other).changes.length === 0).toBe(isSame(one, other));
      }),
    );
  });
});
