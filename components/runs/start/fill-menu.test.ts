import { describe, expect, it } from "vitest";
import { samplesOf } from "./fill-menu";

describe("samplesOf", () => {
  it("collects defaults and examples from the properties", () => {
    const schema = {
      type: "object",
      properties: {
        path: { type: "string", examples: ["/tmp", "/var"] },
        depth: { type: "integer", default: 0 },
        options: { type: "object", properties: { quiet: { type: "boolean", default: false } } },
        note: { type: "string" },
      },
    };
    expect(samplesOf(schema)).toEqual([
      { label: "Defaults", args: { depth: 0, options: { quiet: false } } },
      { label: "Example", args: { path: "/tmp", depth: 0, options: { quiet: false } } },
    ]);
  });

  it("uses the examples of the whole schema unchanged", () => {
    expect(samplesOf({ examples: [{ a: 1 }, "no", { a: 2 }], properties: { a: { examples: [9] } } })).toEqual([
      { label: "Example 1", args: { a: 1 } },
      { label: "Example 2", args: { a: 2 } },
    ]);
  });

  it.each([
    [{}],
    [{ properties: { a: { type: "string" } } }],
    [{ default: 5, examples: "x", properties: [] }],
    [{ default: {} }],
  ])("offers nothing for %j", (schema) => {
    expect(samplesOf(schema)).toEqual([]);
  });
});
