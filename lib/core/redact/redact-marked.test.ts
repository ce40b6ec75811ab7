import { expect, test } from "vitest";
import { MARKED, redactMarked } from "./redact-marked";

const secret = { type: "string", writeOnly: true };

test.each([
  [{ properties: { key: secret, name: {} } }, { key: "k", name: "n" }, { key: MARKED, name: "n" }],
  [{ properties: { key: { format: "password" } } }, { key: 7 }, { key: MARKED }],
  [{ properties: { key: { "x-secret": true } } }, { key: { deep: 1 } }, { key: MARKED }],
  [
    { properties: { list: { items: { properties: { key: secret } } } } },
    { list: [{ key: "k", n: 1 }] },
    { list: [{ key: MARKED, n: 1 }] },
  ],
  [{ prefixItems: [{}, secret] }, ["a", "b"], ["a", MARKED]],
  [{ additionalProperties: secret }, { any: "k" }, { any: MARKED }],
  [{ anyOf: [{ properties: { a: {} } }, { properties: { key: secret } }] }, { key: "k" }, { key: MARKED }],
])("a value that %j marks is not told", (schema, value, expected) => {
  expect(redactMarked(schema, value)).toEqual(expected);
});

test("a value that the schema does not mark stays the same object, under each schema", () => {
  const value = { key: "k", list: [1, { n: null }] };
  for (const schema of [null, true, {}, { properties: { other: secret } }, { properties: { toString: secret } }]) {
    expect(redactMarked(schema, value)).toBe(value);
  }
});

const $defs = { S: secret, Pair: { properties: { key: { $ref: "#/$defs/S" }, next: { $ref: "#/$defs/Pair" } } } };

test.each<[keyword: string, schema: object, value: unknown, expected: unknown]>([
  ["anyOf", { properties: { key: { anyOf: [secret, { type: "null" }] } } }, { key: "k" }, { key: MARKED }],
  ["allOf", { properties: { key: { allOf: [{}, secret] } } }, { key: "k" }, { key: MARKED }],
  ["oneOf", { properties: { key: { oneOf: [{ type: "number" }, secret] } } }, { key: "k" }, { key: MARKED }],
  ["not", { properties: { key: { not: secret } } }, { key: "k" }, { key: MARKED }],
  ["if", { properties: { key: { if: secret } } }, { key: "k" }, { key: MARKED }],
  ["then", JSON.parse('{"then":{"properties":{"key":{"writeOnly":true}}}}'), { key: "k", n: 1 }, { key: MARKED, n: 1 }],
  ["else", { if: {}, else: { properties: { key: secret } } }, { key: "k", n: 1 }, { key: MARKED, n: 1 }],
  ["$ref", { $defs, properties: { key: { $ref: "#/$defs/S" } } }, { key: null }, { key: MARKED }],
  ["$ref, escaped", { $defs: { "a/b c": secret }, items: { $ref: "#/$defs/a~1b%20c" } }, ["k"], [MARKED]],
  ["$ref below anyOf", { $defs, items: { anyOf: [{ $ref: "#/$defs/S" }, {}] } }, ["k"], [MARKED]],
  [
    "$ref beside properties",
    { $defs, $ref: "#/$defs/Pair", properties: { n: secret } },
    { key: "k", n: 1 },
    { key: MARKED, n: MARKED },
  ],
  [
    "$ref to itself",
    { $defs, $ref: "#/$defs/Pair" },
    { next: { next: { key: "k", n: 1 } } },
    { next: { next: { key: MARKED, n: 1 } } },
  ],
  [
    "$ref to the root",
    { properties: { key: secret, down: { $ref: "#" } } },
    { down: { key: "k" } },
    { down: { key: MARKED } },
  ],
  ["definitions", { definitions: $defs, items: { $ref: "#/definitions/S" } }, ["k"], [MARKED]],
  ["patternProperties", { patternProperties: { "^s_": secret } }, { s_a: "k", a: "n" }, { s_a: MARKED, a: "n" }],
  [
    "patternProperties beside properties",
    { properties: { s_a: {} }, patternProperties: { "^s_": secret } },
    { s_a: "k" },
    { s_a: MARKED },
  ],
  [
    "additionalProperties",
    { properties: { n: {} }, patternProperties: { "^p_": {} }, additionalProperties: { anyOf: [secret] } },
    { n: 1, p_a: 2, other: "k" },
    { n: 1, p_a: 2, other: MARKED },
  ],
  [
    "unevaluatedProperties",
    { properties: { n: {} }, unevaluatedProperties: secret },
    { n: 1, a: 2 },
    { n: 1, a: MARKED },
  ],
  ["propertyNames", { properties: { n: { propertyNames: secret } } }, { n: { k: 1 } }, { n: MARKED }],
  [
    "dependentSchemas",
    { dependentSchemas: { n: { properties: { key: secret } } } },
    { n: 1, key: 2 },
    { n: 1, key: MARKED },
  ],
  ["dependencies", { dependencies: { n: { properties: { key: secret } } } }, { n: 1, key: 2 }, { n: 1, key: MARKED }],
  ["items", { items: { items: { allOf: [secret] } } }, [["k"], []], [[MARKED], []]],
  ["prefixItems", { prefixItems: [{}, { anyOf: [secret] }], items: {} }, ["a", "b", "c"], ["a", MARKED, "c"]],
  ["items behind prefixItems", { prefixItems: [{}], items: secret }, ["a", "b"], ["a", MARKED]],
  ["items as a list", { items: [{}, secret], additionalItems: secret }, ["a", "b", "c"], ["a", MARKED, MARKED]],
  ["unevaluatedItems", { prefixItems: [{}], unevaluatedItems: secret }, ["a", "b"], ["a", MARKED]],
  ["contains", { contains: secret }, ["a"], [MARKED]],
  ["contentSchema", { items: { contentSchema: { properties: { key: secret } } } }, ['{"key":"k"}'], [MARKED]],
  ["contentSchema behind $ref", { $defs, items: { contentSchema: { $ref: "#/$defs/Pair" } } }, ["{}"], [MARKED]],
])("a mark below %s counts", (_keyword, schema, value, expected) => {
  expect(redactMarked(schema, value)).toEqual(expected);
});

test("a cycle of references ends, and what lies deeper than a schema is read is not told", () => {
  const loop = {
    $defs: { A: { $ref: "#/$defs/B" }, B: { anyOf: [{ $ref: "#/$defs/A" }, secret] } },
    $ref: "#/$defs/A",
  };
  expect(redactMarked(loop, "k")).toBe(MARKED);
  let deep: unknown = "k";
  for (let level = 0; level < 1000; level += 1) deep = [deep];
  expect(
    JSON.stringify(redactMarked({ items: { $ref: "#" }, anyOf: [{}], properties: { key: secret } }, deep)),
  ).not.toContain('"k"');
});

test("a mark that cannot apply leaves the value, and names of properties are not keywords", () => {
  const value = { s_a: "n", n: 1, format: "password", $ref: "#/$defs/S" };
  for (const schema of [
    { properties: { writeOnly: secret }, default: { writeOnly: true }, enum: [secret] },
    { patternProperties: { "^x_": secret }, dependentSchemas: { absent: { additionalProperties: secret } } },
    { $defs, properties: { n: { $ref: "#/$defs/absent" }, s_a: { $ref: "other.json#/$defs/S" } } },
  ]) {
    expect(redactMarked(schema, value)).toBe(value);
  }
});
