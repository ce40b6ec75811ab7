import { describe, expect, it } from "vitest";
import { leaveOutOptionals, pruneArgs } from "./args";

const schema = {
  type: "object",
  required: ["filter"],
  properties: {
    filter: { type: "object" },
    notify: { $ref: "#/$defs/notify" },
    list: { type: "array", items: { type: "object" } },
  },
  $defs: { notify: { type: "object", properties: { to: { type: "object" } } } },
};

describe("pruneArgs", () => {
  it.each([
    ["drops emptied fields", { a: undefined, b: 0, c: "" }, { b: 0, c: "" }],
    ["drops empty optional objects", { notify: { to: {} } }, {}],
    ["keeps required ones", { filter: {} }, { filter: {} }],
    ["keeps what the schema does not name", { other: {} }, { other: {} }],
    ["keeps items of a list", { list: [{}, undefined] }, { list: [{}, null] }],
  ])("%s", (_, args, expected) => {
    expect(pruneArgs(schema, args)).toEqual(expected);
  });
});

const optionalsSchema = {
  type: "object",
  required: ["filter"],
  properties: {
    name: { type: "string", default: "north" },
    filter: { type: "object", properties: { more: { type: "object" }, path: { type: "string" } } },
    notify: { $ref: "#/$defs/notify" },
    output: { oneOf: [{ type: "object" }, { $ref: "#/$defs/notify" }] },
    usual: { type: "object", default: { a: 1 } },
    either: { anyOf: [{ type: "object" }, { type: "string" }] },
  },
  $defs: { notify: { type: "object" } },
};

describe("leaveOutOptionals", () => {
  it("marks optional objects and choices between objects, through references and inside required ones", () => {
    expect(leaveOutOptionals(optionalsSchema, {})).toStrictEqual({
      filter: { more: undefined },
      notify: undefined,
      output: undefined,
    });
  });

  it("keeps present values", () => {
    const value = { output: { kind: "file" }, filter: { path: "a" } };
    expect(leaveOutOptionals(optionalsSchema, value)).toStrictEqual({
      output: { kind: "file" },
      filter: { path: "a", more: undefined },
      notify: undefined,
    });
  });
});
