import { describe, expect, it } from "vitest";
import { leaveOutOptionals } from "./args";

const schema = {
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
    expect(leaveOutOptionals(schema, {})).toStrictEqual({
      filter: { more: undefined },
      notify: undefined,
      output: undefined,
    });
  });

  it("keeps present values", () => {
    const value = { output: { kind: "file" }, filter: { path: "a" } };
    expect(leaveOutOptionals(schema, value)).toStrictEqual({
      output: { kind: "file" },
      filter: { path: "a", more: undefined },
      notify: undefined,
    });
  });
});
