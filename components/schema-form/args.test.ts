import { describe, expect, it } from "vitest";
import { pruneArgs } from "./args";

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
