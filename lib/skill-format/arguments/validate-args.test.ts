import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/skill-format/schema";
import { validateArgs } from "./validate-args";

const schema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    mode: { enum: ["fast", "slow"] },
    filter: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } } } },
  },
  required: ["path"],
  additionalProperties: false,
};

it("has no errors for matching arguments", () => {
  expect(validateArgs(schema, { path: "/tmp", mode: "fast", filter: { path: "x" }, items: [{ n: 1 }] })).toEqual([]);
});

it.each<[string, unknown, string, string]>([
  ["a missing argument", {}, "path", "is required"],
  ["a missing nested argument", { path: "x", filter: {} }, "filter.path", "is required"],
  ["a wrong type", { path: 1 }, "path", "must be string"],
  ["a wrong item", { path: "x", items: [{ n: 1 }, { n: "x" }] }, "items.1.n", "must be integer"],
  ["an unknown argument", { path: "x", extra: 1 }, "extra", "is not a known argument"],
  ["a value out of a list", { path: "x", mode: "medium" }, "mode", 'must be one of ["fast","slow"]'],
  ["an empty text", { path: "" }, "path", "must have at least 1 character"],
])("points at %s", (_name, args, path, message) => {
  expect(validateArgs(schema, args)).toEqual([{ path, message }]);
});

it("summarizes the branches of a choice in one error", () => {
  const either = { properties: { a: { anyOf: [{ type: "string" }, { type: "number" }] } } };
  expect(validateArgs(either, { a: true })).toEqual([{ path: "a", message: "must be string, or must be number" }]);
  const both = { properties: { a: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } } };
  expect(validateArgs(both, { a: 3 })[0]?.path).toBe("a");
  expect(validateArgs({ properties: { a: { not: {} } } }, { a: 3 })[0]?.path).toBe("a");
});

it("expects an object when the schema has no type, and any object when there is no schema", () => {
  expect(validateArgs({}, { a: 1 })).toEqual([]);
  expect(validateArgs(null, { a: 1 })).toEqual([]);
  expect(validateArgs({ type: "string" }, {})).toHaveLength(1);
});

it("does not read inherited names as arguments", () => {
  expect(validateArgs({ required: ["constructor"] }, {})).toEqual([{ path: "constructor", message: "is required" }]);
  expect(validateArgs({ properties: { toString: { type: "string" } } }, {})).toEqual([]);
});

it("knows formats, the keywords of 2020-12 and the definitions of older drafts", () => {
  expect(validateArgs({ properties: { a: { format: "email" } } }, { a: "no" })).toHaveLength(1);
  expect(validateArgs({ properties: { a: { format: "url" } } }, { a: "https://x.example/" })).toEqual([]);
  expect(validateArgs({ properties: { a: { format: "made-up" } } }, { a: "x" })).toEqual([]);
  expect(validateArgs({ dependentRequired: { a: ["b"] } }, { a: 1 })).toEqual([{ path: "b", message: "is required" }]);
  expect(validateArgs({ properties: { a: { prefixItems: [{ type: "string" }] } } }, { a: [1] })[0]?.path).toBe("a.0");
  const old = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "x",
    definitions: { s: { type: "string" } },
    properties: { a: { $ref: "#/definitions/s" } },
  };
  expect(validateArgs(old, { a: 1 })[0]?.path).toBe("a");
  expect(validateArgs(old, { a: "x" })).toEqual([]);
  expect(validateArgs({ unevaluatedProperties: false }, { a: 1 })[0]?.path).toBe("a");
});

describe("arguments that are not plain JSON within limits", () => {
  const cycle: JsonObject = {};
  cycle.self = cycle;
  const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) });
  it.each<[string, unknown, string]>([
    ["nothing", undefined, "must be an object"],
    ["null", null, "must be an object"],
    ["a list", [], "must be an object"],
    ["a text", "{}", "must be an object"],
    ["a date", new Date(0), "not plain JSON"],
    ["a function", { a: () => 1 }, "JSON cannot represent"],
    ["undefined inside", { a: undefined }, "JSON cannot represent"],
    ["NaN", { a: Number.NaN }, "JSON cannot represent"],
    ["a big integer", { a: 1n }, "JSON cannot represent"],
    ["a cycle", cycle, "deeper than 32"],
    ["33 levels", nest(33), "deeper than 32"],
    ["20,001 values", { a: Array(20_001).fill(1) }, "more than 20000"],
    ["256 KiB", { a: "x".repeat(256 * 1024) }, "larger than 262144"],
    ["a prototype key", JSON.parse('{"__proto__": {"isAdmin": true}}'), "__proto__"],
    ["a nested prototype key", JSON.parse('{"a": [{"__proto__": 1}]}'), "__proto__"],
  ])("are refused: %s", (_name, args, message) => {
    for (const candidate of [null, {}, { additionalProperties: true }]) {
      expect(validateArgs(candidate, args)).toEqual([{ path: "", message: expect.stringContaining(message) }]);
    }
  });

  it("are refused when reading them throws", () => {
    const hostile = {
      get a(): never {
        throw new Error("no");
      },
    };
    expect(validateArgs({}, hostile)).toEqual([{ path: "", message: "The arguments cannot be checked." }]);
  });

  it("may be just within them", () => {
    expect(validateArgs({}, nest(32))).toEqual([]);
    expect(validateArgs({}, { a: Array(19_998).fill(1) })).toEqual([]);
  });
});

describe("hostile patterns", () => {
  const almost = `${"a".repeat(100_000)}!`;
  it.each(["^(a+)+$", "(a|a)*$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$"])("answer for %s", (pattern) => {
    const [error] = validateArgs({ properties: { a: { pattern } } }, { a: almost });
    expect(error === undefined || error.message !== "").toBe(true);
    expect(
      validateArgs({ patternProperties: { [pattern]: { type: "number" } } }, { ["a".repeat(1_000)]: "x" }),
    ).toHaveLength(new RegExp(pattern.startsWith("^((") ? "^$" : pattern.includes("x") ? "x" : "a").test("a") ? 1 : 0);
  });

  it("are refused by the length of the text, the same on every machine", () => {
    const pattern = "[ab]*a[ab]{900}$";
    expect(validateArgs({ properties: { a: { pattern } } }, { a: "ab".repeat(100_000) })).toEqual([
      { path: "", message: "The arguments are too complex to check." },
    ]);
    expect(validateArgs({ properties: { a: { pattern } } }, { a: "a".repeat(1_200) })).toEqual([]);
  });

  it("are refused when they are not RE2", () => {
    expect(validateArgs({ pattern: "(?=x)" }, {})[0]?.message).toContain("cannot be used");
  });

  it("do not hide in formats", () => {
    const url = `http://${":@".repeat(100_000)}`;
    for (const format of ["url", "uri", "email", "uri-template", "regex", "hostname", "date-time"]) {
      expect(validateArgs({ properties: { a: { format } } }, { a: url })).toHaveLength(1);
    }
  });
});

describe("hostile schemas", () => {
  const tree = { properties: { value: {}, children: { items: { $ref: "#" } } } };
  const grow = (levels: number): JsonObject => (levels === 0 ? {} : { children: [grow(levels - 1)] });

  it("may be recursive trees, as deep as arguments go", () => {
    expect(validateArgs(tree, grow(15))).toEqual([]);
    expect(validateArgs(tree, { children: [{ children: "x" }] })).toEqual([]);
    expect(validateArgs({ ...tree, additionalProperties: false }, { children: [{ x: 1 }] })[0]?.path).toBe(
      "children.0.x",
    );
  });

  it("that branch as they recurse are limited in depth", () => {
    const branching = { properties: { c: { anyOf: Array(10).fill({ $ref: "#" }) } } };
    const deep = (levels: number): JsonObject => (levels === 0 ? {} : { c: deep(levels - 1) });
    expect(validateArgs(branching, deep(4))).toEqual([]);
    expect(validateArgs(branching, deep(5))[0]?.message).toContain("deeper than 5");
  });

  it.each<[string, JsonObject, string]>([
    ["a loop", { $ref: "#" }, "without descending"],
    ["a remote reference", { $ref: "http://169.254.169.254/" }, "same document"],
    ["20,000 branches", { oneOf: Array(20_000).fill({}) }, "more than 1000"],
    ["an unknown type", { type: "strnig" }, "The schema is invalid"],
    ["a list of items as in older drafts", { properties: { a: { items: [{}] } } }, "The schema is invalid"],
    ["properties that are no mapping", { properties: 1 }, "The schema is invalid"],
  ])("are refused: %s", (_name, hostile, message) => {
    expect(validateArgs(hostile, {})).toEqual([{ path: "", message: expect.stringContaining(message) }]);
  });

  it("are refused again, and other schemas are not affected", () => {
    for (let turn = 0; turn < 250; turn += 1) {
      expect(validateArgs({ type: "strnig" }, {})).toHaveLength(1);
      expect(validateArgs({ properties: { a: { const: turn } } }, { a: turn })).toEqual([]);
    }
  });

  it("cannot make one list be compared with itself", () => {
    const unique = { properties: { a: { uniqueItems: true } } };
    const objects = (count: number) => ({ a: Array.from({ length: count }, (_, id) => ({ id })) });
    expect(validateArgs(unique, objects(1_000))).toEqual([]);
    expect(validateArgs(unique, objects(1_001))[0]?.message).toContain("more than 1000 items");
    expect(
      validateArgs(unique, {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      })[0]?.path,
    ).toBe("a");
    expect(validateArgs(unique, { a: [1, "1", [1], null, 0, false] })).toEqual([]);
  });

  it("cannot multiply with large arguments", () => {
    const wide = {
      additionalProperties: { allOf: Array.from({ length: 400 }, (_, i) => ({ not: { const: `${i}` } })) },
    };
    const args = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, "x"]));
    expect(validateArgs(wide, args)).toEqual([{ path: "", message: "The arguments are too complex to check." }]);
  });

  it("cannot switch off their own counting", () => {
    const wide = {
      "skillgate:work": 0,
      additionalProperties: { allOf: Array(900).fill({ "skillgate:work": 0, minimum: 1 }) },
    };
    const args = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 2]));
    expect(validateArgs(wide, args)).toHaveLength(1);
  });

  it("cannot run code", () => {
    const name = "']; globalThis.PWNED = 1; //";
    const nasty = {
      $id: name,
      properties: { [name]: { const: name, pattern: name.replace("]", "\\]") } },
      required: [name],
    };
    validateArgs(nasty, { [name]: name });
    expect("PWNED" in globalThis).toBe(false);
  });
});

it("never throws, for any schema and any arguments", () => {
  const keys = [
    "type",
    "properties",
    "items",
    "required",
    "enum",
    "anyOf",
    "not",
    "$ref",
    "pattern",
    "minimum",
    "a",
    "if",
  ];
  const words = ["object", "string", "a", "#", "#/properties/a", "(", "id", "nullable", 0, -1, true, null];
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(...words),
      fc.dictionary(fc.constantFrom(...keys, "format", "id", "nullable", "discriminator"), tie("node")),
      fc.array(tie("node"), { maxLength: 3 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), node), fc.oneof(node, fc.anything()), (hostile, args) => {
      expect(Array.isArray(validateArgs(hostile, args))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
