import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/skill-format/schema";
import { checkArgsSchema, compilePattern, estimateInstructions } from "./args-schema";
import { compileArgsSchema } from "./compile-args-schema";

const nest = (levels: number): JsonObject => (levels === 0 ? {} : { items: nest(levels - 1) });

it.each<[string, JsonObject]>([
  ["an empty schema", {}],
  ["booleans as subschemas", { properties: { a: true, b: false } }],
  ["an id and a dialect at the root", { $id: "https://x/y", $schema: "http://json-schema.org/draft-07/schema#" }],
  ["a reference to a definition", { $defs: { a: { type: "string" } }, properties: { a: { $ref: "#/$defs/a" } } }],
  ["a reference with escapes", { $defs: { "a/b~c%": {} }, properties: { a: { $ref: "#/$defs/a~1b~0c%25" } } }],
  ["a tree", tree("children")],
  ["a binary tree", { properties: { left: { $ref: "#" }, right: { $ref: "#" } } }],
  ["keywords as property names", { properties: { $ref: {}, pattern: {}, $data: {}, $id: {} } }],
  ["keywords of the metaschema, and others", { type: ["object", "null"], minLength: 0, nullable: true, "x-order": 1 }],
  ["a union that allows nothing", { properties: { a: { allOf: [{ type: "string" }, { type: "null" }] } } }],
  ["an unknown format", { properties: { a: { type: "string", format: "hostname-or-ip" } } }],
  ["keywords in data", { enum: [{ $ref: "http://x" }], default: { $dynamicRef: "x" }, examples: [{ pattern: "(" }] }],
  [
    "patterns of RE2",
    { pattern: "^(a+)+$", patternProperties: { "^[a-z]{1,63}(\\.[\\u00e0-\\u00ff]{2,10}){0,10}$": {} } },
  ],
])("accepts %s", (_name, schema) => {
  expect(checkArgsSchema(schema)).toEqual([]);
});

it.each<[string, JsonObject, string, string]>([
  [
    "a remote reference",
    { properties: { a: { $ref: "http://169.254.169.254/" } } },
    "properties.a.$ref",
    "same document",
  ],
  ["a file reference", { $ref: "file:///etc/passwd" }, "$ref", "same document"],
  ["a reference to an anchor", { $ref: "#a", $defs: { a: { $anchor: "a" } } }, "$ref", "same document"],
  ["a reference to nothing", { $ref: "#/$defs/a" }, "$ref", "no schema"],
  ["a reference into data", { $ref: "#/default", default: { pattern: "(" } }, "$ref", "no schema"],
  ["a reference to an inherited name", { $ref: "#/constructor" }, "$ref", "no schema"],
  ["a malformed reference", { $ref: "#/%zz" }, "$ref", "no schema"],
  ["a reference that is no text", { $ref: 1 }, "$ref", "same document"],
  ["a dynamic reference", { $dynamicRef: "#a" }, "$dynamicRef", "not supported"],
  ["a recursive anchor", { items: { $recursiveAnchor: true } }, "items.$recursiveAnchor", "not supported"],
  ["$data", { properties: { a: { maximum: { $data: "1/b" } } } }, "properties.a.maximum", "not supported"],
  ["an id within", { properties: { a: { $id: "x" } } }, "properties.a.$id", "root"],
  ["lookahead", { properties: { a: { pattern: "(?=x)" } } }, "properties.a.pattern", "cannot be used"],
  ["a back reference", { pattern: "(a)\\1" }, "pattern", "cannot be used"],
  ["an invalid pattern", { patternProperties: { "(": {} } }, "patternProperties", "cannot be used"],
  ["a long pattern", { pattern: "x".repeat(1_001) }, "pattern", "longer than 1000"],
  ["patterns that repeat", { patternProperties: repeats(120) }, "", "too many repetitions"],
  ["5,000 levels", nest(5_000), "", "deeper than 32"],
  ["20,000 branches", { oneOf: Array.from({ length: 20_000 }, () => ({})) }, "", "more than 1000"],
  ["64 KiB of text", { description: "x".repeat(70_000) }, "", "larger than 65536"],
  ["a loop", { $ref: "#" }, "", "without descending"],
  [
    "a loop through definitions",
    { $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
    "",
    "descending",
  ],
  ["a loop through not", { properties: { a: { not: { $ref: "#/properties/a" } } } }, "", "without descending"],
  ["doubling definitions", doubling(20), "", "more than 10000 parts"],
  ["recursion in 400 places", wideTree(400), "", "too many places (400)"],
  ["a type at the root that no arguments have", { type: "array" }, "type", "arguments are an object"],
  ["types at the root that no arguments have", { type: ["array", "null"] }, "type", "arguments are an object"],
  ["an unknown type", { type: "objekt" }, "type", '"objekt" is not a type'],
  ["an unknown type of an argument", { properties: { a: { type: ["string", "nil"] } } }, "properties.a.type", '"nil"'],
  ["a type that is repeated", { type: ["string", "string"] }, "type", "not a type"],
  ["properties that are a list", { properties: [] }, "properties", "2020-12"],
  ["a property that is no schema", { properties: { a: "string" } }, "properties.a", "2020-12"],
  ["required as in draft 3", { properties: { a: { required: true } } }, "properties.a.required", "2020-12"],
  ["a name of required that is no text", { required: ["a", 1] }, "required.1", "2020-12"],
  ["a list of items as in older drafts", { properties: { a: { items: [{}] } } }, "properties.a.items", "2020-12"],
  ["a negative length", { properties: { a: { minLength: -1 } } }, "properties.a.minLength", "2020-12"],
  ["a limit that is a text", { $defs: { a: { maximum: "5" } } }, "$defs.a.maximum", "2020-12"],
  ["a bound as in draft 4", { items: { minimum: 1, exclusiveMinimum: true } }, "items.exclusiveMinimum", "2020-12"],
  ["an empty union", { anyOf: [] }, "anyOf", "2020-12"],
  ["no values to choose from", { properties: { a: { enum: [] } } }, "properties.a.enum", "must not be empty"],
  ["a definition that is no schema", { $defs: { a: 1 } }, "$defs.a", "2020-12"],
  ["validation that ends later", { properties: { a: { $async: true } } }, "properties.a.$async", "not supported"],
])("refuses %s", (_name, schema, path, message) => {
  expect(checkArgsSchema(schema)).toContainEqual({ path, message: expect.stringContaining(message) });
});

describe("a schema that is no JSON", () => {
  const cycle: JsonObject = {};
  cycle.properties = cycle;
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("no");
      },
    },
  );
  it.each<[string, JsonObject]>([
    ["a cycle", cycle],
    ["a function", { properties: () => 1 }],
    ["a proxy that throws", hostile],
    ["a prototype key", JSON.parse('{"__proto__": {"type": "string"}}')],
    ["NaN", { maximum: Number.NaN }],
  ])("is refused: %s", (_name, schema) => {
    expect(checkArgsSchema(schema)).toHaveLength(1);
  });
});

it("accepts nothing that cannot be compiled", () => {
  const value = fc.constantFrom<unknown>("string", "objekt", [], {}, ["a"], [{}], true, 0, -1, 1.5, null, { a: true });
  const keyword = fc.constantFrom(
    ...["type", "enum", "const", "required", "properties", "items", "minLength", "maximum", "multipleOf", "nullable"],
    ...["anyOf", "not", "format", "pattern", "uniqueItems", "contains", "dependentRequired", "minContains", "default"],
    ...["additionalProperties", "propertyNames", "$defs", "description", "if", "then", "prefixItems", "$async", "id"],
  );
  fc.assert(
    fc.property(fc.dictionary(keyword, value), fc.boolean(), (keywords, isWithin) => {
      // Without shared objects, which JSON does not have.
      const schema: JsonObject = JSON.parse(JSON.stringify(isWithin ? { properties: { a: keywords } } : keywords));
      fc.pre(checkArgsSchema(schema).length === 0);
      const compiled = compileArgsSchema(schema);
      expect(compiled.ok ? [] : compiled.errors).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it("never throws", () => {
  const keys = ["properties", "items", "$ref", "pattern", "patternProperties", "allOf", "$defs", "enum", "$id", "not"];
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("#", "#/$defs/a", "(", "^a$", true, null, 1),
      fc.dictionary(fc.constantFrom(...keys, "a", "constructor"), tie("schema")),
      fc.array(tie("schema"), { maxLength: 3 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), schema), (value) => {
      expect(Array.isArray(checkArgsSchema(value))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function tree(key: string): JsonObject {
  return { $defs: { node: { properties: { [key]: { items: { $ref: "#/$defs/node" } } } } }, $ref: "#/$defs/node" };
}

function wideTree(places: number): JsonObject {
  return { properties: Object.fromEntries(Array.from({ length: places }, (_, i) => [`p${i}`, { $ref: "#" }])) };
}

function doubling(levels: number): JsonObject {
  const entries = Array.from({ length: levels }, (_, i): [string, JsonObject] => [
    `d${i}`,
    { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
  ]);
  return { $defs: { ...Object.fromEntries(entries), [`d${levels}`]: {} }, $ref: "#/$defs/d0" };
}

function repeats(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}{1000}`, {}]));
}

it.each([
  ["^(a+)+$", "aaaa!", false],
  ["(a|a)*$", "aaaa", true],
  ["^\\u00e9[^]\\/$", "éx/", true],
  ["\\d", "x1", true],
])("tests %s as JavaScript would", (source, text, expected) => {
  expect(compilePattern(source).test(text)).toBe(expected);
  expect(new RegExp(source).test(text)).toBe(expected);
});

it.each(["(?=x)", "(a)\\1", "(", "x{1001}", "x".repeat(1_001)])("throws for %s", (source) => {
  expect(() => compilePattern(source)).toThrow();
});

it("never estimates much less than the compiled size", () => {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("a", "[a-z]", "\\d", "\\p{L}", ".", "\\x{41}"),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie("pattern"), fc.constantFrom("{2,9}", "{7}", "{3,}", "*", "+?")).map(([a, b]) => `(${a})${b}`),
    ),
  }));
  fc.assert(
    fc.property(pattern, (source) => {
      const instructions = instructionsOrNull(source);
      if (instructions !== null) expect(instructions).toBeLessThanOrEqual(20 + 4 * estimateInstructions(source));
    }),
  );
});

function instructionsOrNull(source: string): number | null {
  try {
    return compilePattern(source).instructions;
  } catch {
    // Nested repeats over RE2's own limit do not compile.
    return null;
  }
}
