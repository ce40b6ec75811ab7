import { expect, it } from "vitest";
import { sideBySide } from "./run-group-page";

const done = (result: unknown) => ({ state: "succeeded" as const, result });

it("has a row for each field of any result, and marks differences", () => {
  const rows = sideBySide([
    done({ os: "linux", free: 1 }),
    { state: "running", result: null },
    done({ os: "linux", up: [1] }),
  ]);
  expect(rows).toEqual([
    { field: "os", values: ["linux", null, "linux"], differs: false },
    { field: "free", values: ["1", null, null], differs: true },
    { field: "up", values: [null, null, "[1]"], differs: true },
  ]);
});

it("is one row for results that are not objects, and empty without results", () => {
  expect(sideBySide([done(3), done({ a: 1 })])).toEqual([{ field: "", values: ["3", '{"a":1}'], differs: true }]);
  expect(sideBySide([{ state: "failed", result: null }])).toEqual([]);
});
