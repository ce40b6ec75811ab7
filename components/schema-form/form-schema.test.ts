import { describe, expect, it } from "vitest";
import { anyJsonFormat, toFormSchema } from "./form-schema";

const formOf = (property: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  toFormSchema({ type: "object", properties: { a_b: property }, ...more }).properties?.a_b;

describe("toFormSchema", () => {
  it.each([
    ["a missing title", { type: "string" }, { type: "string", title: "A b" }],
    ["a type that may be null", { type: ["integer", "null"], default: null }, { type: "integer", title: "A b" }],
    [
      "a branch that is null",
      { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }], title: "Name" },
      { type: "string", maxLength: 3, title: "Name" },
    ],
    [
      "several types",
      { type: ["string", "number"] },
      {
        anyOf: [
          { type: "string", title: "Text" },
          { type: "number", title: "Number" },
        ],
        title: "A b",
      },
    ],
    ["a free object", { type: "object" }, { type: "string", format: anyJsonFormat, title: "A b" }],
    ["no type", {}, { type: "string", format: anyJsonFormat, title: "A b" }],
    ["an optional single value", { const: "x", type: "string" }, { enum: ["x"], type: "string", title: "A b" }],
    [
      "a list of fixed values",
      { type: "array", items: { enum: ["x", "y"] } },
      { type: "array", items: { enum: ["x", "y"] }, uniqueItems: true, title: "A b" },
    ],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }], items: false },
      { type: "array", items: [{ type: "string" }], additionalItems: false, title: "A b" },
    ],
    [
      "named choices",
      {
        oneOf: [
          { const: "a", title: "MyCase" },
          { const: "b", title: "Other" },
        ],
      },
      {
        oneOf: [
          { const: "a", title: "My case" },
          { const: "b", title: "Other" },
        ],
        title: "A b",
      },
    ],
  ])("converts %s", (_, property, expected) => {
    expect(formOf(property)).toEqual(expected);
  });

  it("keeps a single named choice", () => {
    const one = { oneOf: [{ const: "local", title: "local (online)" }] };
    expect(formOf(one, { required: ["a_b"] })).toEqual({ ...one, title: "A b" });
  });

  it("makes a required single value a constant", () => {
    expect(formOf({ enum: ["x"] }, { required: ["a_b"] })).toMatchObject({ const: "x" });
  });

  it("leaves conditions and maps of schemas as they are", () => {
    const rules = {
      patternProperties: { "^x-": { type: "string" } },
      if: { required: ["a_b"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["c"] },
      dependentRequired: { a_b: ["c"] },
    };
    expect(toFormSchema({ type: "object", properties: {}, ...rules })).toMatchObject(rules);
  });

  it("drops a choice between required fields, which has nothing to choose", () => {
    const form = toFormSchema({ type: "object", properties: {}, anyOf: [{ required: ["a"] }, { required: ["b"] }] });
    expect(form.anyOf).toBeUndefined();
  });

  it("does not change values that look like schemas", () => {
    const value = { type: ["string", "null"], properties: { a_b: {} } };
    expect(formOf({ type: "object", properties: { c: { type: "string" } }, default: value })?.valueOf()).toMatchObject({
      default: value,
    });
  });
});
