import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkArgs, fits } from "./check-args";

const schema = {
  type: "object",
  required: ["name", "filter"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 2 },
    limit: { type: "integer", minimum: 1, maximum: 10 },
    filter: { type: "object", required: ["path"], properties: { path: { type: "string" } } },
    items: { type: "array", items: { $ref: "#/$defs/item" } },
    target: {
      oneOf: [
        {
          type: "object",
          required: ["kind", "host"],
          properties: { kind: { const: "remote" }, host: { type: "string" } },
        },
        {
          type: "object",
          required: ["kind", "dir"],
          properties: { kind: { const: "local" }, dir: { type: "string" } },
        },
      ],
    },
  },
  $defs: { item: { type: "object", required: ["id"], properties: { id: { type: "number" } } } },
};
const valid = { name: "ab", filter: { path: "a" } };

describe("checkArgs", () => {
  it.each([
    ["nothing wrong", valid, []],
    ["a missing property", { filter: { path: "a" } }, [{ path: "name", message: "enter a value" }]],
    ["a missing nested property", { name: "ab", filter: {} }, [{ path: "filter.path", message: "enter a value" }]],
    ["a wrong type", { ...valid, limit: "5" }, [{ path: "limit", message: "must be a whole number" }]],
    ["a bound", { ...valid, limit: 11 }, [{ path: "limit", message: "must be at most 10" }]],
    ["a length", { ...valid, name: "a" }, [{ path: "name", message: "must have at least 2 characters" }]],
    ["an unknown property", { ...valid, extra: 1 }, [{ path: "extra", message: "unknown argument" }]],
    [
      "an item, through a reference",
      { ...valid, items: [{ id: 1 }, {}] },
      [{ path: "items.1.id", message: "enter a value" }],
    ],
  ])("names %s by its path", (_, args, errors) => {
    expect(checkArgs(schema, args)).toEqual(errors);
  });

  it("reports only the errors of the matching branch", () => {
    expect(checkArgs(schema, { ...valid, target: { kind: "local" } })).toEqual([
      { path: "target.dir", message: "enter a value" },
    ]);
  });

  it("reports that several branches match", () => {
    const choice = { type: "object", properties: { a: { oneOf: [{ type: "number" }, { type: "integer" }] } } };
    expect(checkArgs(choice, { a: 1 })).toEqual([{ path: "a", message: expect.stringContaining("choose one") }]);
  });

  it("treats a cleared field as absent", () => {
    expect(checkArgs(schema, { ...valid, name: undefined })).toEqual([{ path: "name", message: "enter a value" }]);
  });

  it("leaves unreadable schemas to the server", () => {
    expect(checkArgs({ type: "object", $ref: "#/$defs/nowhere" }, {})).toEqual([]);
  });

  it("leaves patterns that could hang the page to the server", () => {
    const risky = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    expect(checkArgs(risky, { a: `${"a".repeat(60)}!` })).toEqual([]);
    const plain = { type: "object", properties: { a: { type: "string", pattern: "^a+$" } } };
    expect(checkArgs(plain, { a: "b" })).toEqual([{ path: "a", message: "does not have the expected form" }]);
  });

  it("does not modify the schema", () => {
    const before = structuredClone(schema);
    checkArgs(Object.freeze(schema), valid);
    expect(schema).toEqual(before);
    expect(Object.getOwnPropertyNames(schema)).toEqual(Object.keys(schema));
  });

  it("never throws for any arguments", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        expect(Array.isArray(checkArgs(schema, args))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("without eval", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("works where the content security policy forbids eval", () => {
    const forbidden = () => {
      throw new EvalError("refused by the policy");
    };
    vi.stubGlobal("Function", forbidden);
    vi.stubGlobal("eval", forbidden);
    expect(checkArgs(schema, {})).toHaveLength(2);
  });
});

describe("fits", () => {
  it("resolves references of a sub-schema in the root schema", () => {
    const part = { type: "array", items: { $ref: "#/$defs/item" } };
    expect(fits(part, [{ id: 1 }], schema)).toBe(true);
    expect(fits(part, [{}], schema)).toBe(false);
  });
});
