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

test("what is not marked stays the same value, whatever the schema is", () => {
  const value = { key: "k", list: [1, { n: null }] };
  for (const schema of [null, true, {}, { properties: { other: secret } }, { properties: { toString: secret } }]) {
    expect(redactMarked(schema, value)).toBe(value);
  }
});
