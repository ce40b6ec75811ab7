import fc from "fast-check";
import { expect, it } from "vitest";
import { schemaRows } from "./manifest-view";

it("lists arguments with type, limits and default, nested ones below their parent", () => {
  const rows = schemaRows({
    type: "object",
    required: ["path"],
    properties: {
      path: { type: "string", description: "File to read", minLength: 1, maxLength: 200 },
      mode: { enum: ["fast", "full"], default: "fast" },
      columns: {
        type: "array",
        items: { type: "object", properties: { name: { type: ["string", "null"] } } },
        minItems: 1,
      },
      limit: { type: "integer", maximum: 10 },
    },
  });
  expect(
    rows.map(({ name, type, isRequired, limits, defaultText }) => [name, type, isRequired, limits, defaultText]),
  ).toEqual([
    ["path", "text", true, "1 to 200 characters", null],
    ["mode", "choice", false, "fast, full", '"fast"'],
    ["columns", "list (group)", false, "at least 1 item", null],
    ["columns[].name", "text or nothing", false, null, null],
    ["limit", "whole number", false, "at most 10", null],
  ]);
});

it("accepts any JSON as a schema", () => {
  const keys = [
    "type",
    "items",
    "properties",
    "required",
    "default",
    "enum",
    "title",
    "minimum",
    "maxItems",
    "toString",
  ];
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>("string", 1, null, true),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie("json")),
    ),
  }));
  fc.assert(
    fc.property(json, (schema) => schemaRows({ properties: { a: schema } }).length >= 1),
    { numRuns: 1000 },
  );
});
