import { describe, expect, it } from "vitest";
import { csvOf, sortRows, tableOf } from "./table-of";

describe("tableOf", () => {
  it("reads a list of objects with all columns", () => {
    expect(tableOf([{ a: 1 }, { b: 2 }])).toEqual({ property: null, columns: ["a", "b"], rows: [{ a: 1 }, { b: 2 }] });
  });

  it("reads the one list of objects inside an object", () => {
    expect(tableOf({ total: 1, files: [{ name: "x" }] })).toMatchObject({ property: "files", columns: ["name"] });
  });

  it.each([[null], [1], ["x"], [[]], [[{}]], [[1]], [[{ a: 1 }, 2]], [[[1]]], [{ a: [{ x: 1 }], b: [{ y: 1 }] }]])(
    "takes %j for none",
    (value) => {
      expect(tableOf(value)).toBeNull();
    },
  );

  it("shows a hundred columns at most", () => {
    const row = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`c${index}`, index]));
    expect(tableOf([row])?.columns).toHaveLength(100);
  });
});

describe("sortRows", () => {
  const rows = [{ v: "b10" }, { v: 2 }, {}, { v: "b9" }, { v: 10 }, { v: null }, { v: true }];
  const by = (direction: "ascending" | "descending") => sortRows(rows, { column: "v", direction }).map(({ v }) => v);

  it("sorts numbers by value, text in natural order, missing values last", () => {
    expect(by("ascending")).toEqual([2, 10, "b9", "b10", true, undefined, null]);
    expect(by("descending")).toEqual([true, "b10", "b9", 10, 2, undefined, null]);
  });

  it("keeps the given order", () => {
    expect(sortRows(rows, null)).toEqual(rows);
    expect(rows[0]).toEqual({ v: "b10" });
  });
});

describe("csvOf", () => {
  it("quotes where needed, and neutralizes formulas only in text", () => {
    const csv = csvOf({
      columns: ["a", "b,c"],
      rows: [{ a: 'say "hi"', "b,c": "two\nlines" }, { a: "=HYPERLINK(1)", "b,c": -5 }, { a: { x: 1 } }, { a: null }],
    });
    expect(csv).toBe('a,"b,c"\r\n"say ""hi""","two\nlines"\r\n\'=HYPERLINK(1),-5\r\n"{""x"":1}",\r\n,\r\n');
  });
});
