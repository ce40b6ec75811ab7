import { describe, expect, it } from "vitest";
import { jsonPathOf, valueAt } from "./json-pointer";
import { initialTreeState, visibleJsonRows } from "./json-rows";
import { jsonHitsAtMost, revealPath, searchJson } from "./search-json";

const value = {
  name: "North",
  list: [{ "a/b": "south" }, { north: null }],
  deep: { deeper: { deepest: [1, "NORTH"] } },
};

describe("searchJson", () => {
  it("finds names and values in the order of the document", () => {
    expect(searchJson(value, "north")).toEqual(["/name", "/list/1/north", "/deep/deeper/deepest/1"]);
    expect(searchJson(value, "a/b")).toEqual(["/list/0/a~1b"]);
    expect(searchJson(value, "null")).toEqual(["/list/1/north"]);
    expect(searchJson(value, " ")).toEqual([]);
  });

  it("stops at its limit", () => {
    expect(
      searchJson(
        Array.from({ length: 9_000 }, () => "x"),
        "x",
      ),
    ).toHaveLength(jsonHitsAtMost);
  });
});

describe("revealPath", () => {
  it("expands and lists enough to show a value", () => {
    const many = { rows: Array.from({ length: 500 }, (_, index) => ({ cell: { index } })) };
    const state = revealPath(many, initialTreeState(many), "/rows/420/cell/index");
    const paths = visibleJsonRows(many, state).map((row) => row.path);
    expect(paths).toContain("/rows/420/cell/index");
  });
});

describe("jsonPathOf", () => {
  it.each([
    ["", "$"],
    ["/list/0/a~1b", '$.list[0]["a/b"]'],
    ["/deep/deeper", "$.deep.deeper"],
  ])("writes %j as %s", (pointer, path) => {
    expect(jsonPathOf(value, pointer)).toBe(path);
  });

  it("ignores properties of the prototype", () => {
    expect(valueAt(value, "/list/1/north")).toBeNull();
    expect(valueAt(value, "/constructor")).toBeUndefined();
  });
});
