import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineOfPath, locateJson } from "./locate-json";

const text = `{
  "name": "north",
  "filter": {
    "paths": [
      "a",
      { "deep": 1 }
    ]
  }
}`;

describe("locateJson", () => {
  it("gives the line of each value", () => {
    expect(Object.fromEntries(locateJson(text).lines)).toEqual({
      "": 1,
      name: 2,
      filter: 3,
      "filter.paths": 4,
      "filter.paths.0": 5,
      "filter.paths.1": 6,
      "filter.paths.1.deep": 6,
    });
  });

  it("gives the nearest line of a value that is missing", () => {
    const places = locateJson(text);
    expect(lineOfPath(places, "filter.root")).toBe(3);
    expect(lineOfPath(places, "limit")).toBe(1);
  });

  it.each([
    ['{\n"a": 1,\n}', 3],
    ['{\n"a": 1\n"b": 2 }', 3],
    ['{"a": nope}', 1],
    ["{\n\n", 3],
    ['["a"]\n]', 2],
    ['{"a": "line\nbreak"}', 1],
  ])("finds the first line of %j that is not JSON", (broken, line) => {
    expect(locateJson(broken).brokenLine).toBe(line);
  });

  it("agrees with JSON.parse on what is JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom("", ",", "{", "]", '"', ":", "x"), (json, at, extra) => {
        const cut = at % (json.length + 1);
        for (const tried of [json, json.slice(0, cut) + extra + json.slice(cut)]) {
          expect(locateJson(tried).brokenLine === null).toBe(isJson(tried));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("reads deeply nested text without recursion", () => {
    expect(locateJson("[".repeat(5_000) + "]".repeat(5_000)).brokenLine).toBeNull();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
