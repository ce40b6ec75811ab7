import { describe, expect, it, test } from "vitest";
import { callSchema, fillArguments, namesArgument } from "./call-arguments";

const own = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
  $defs: { a: { type: "string" } },
};

describe("the schema of what a caller sends", () => {
  it("is the skill's own for scope manager: it has no edge_id", () => {
    expect(callSchema({ scope: "manager", schema: own })).toBe(own);
  });

  it("requires edge_id first for scope host, and keeps the rest unchanged", () => {
    const schema = callSchema({ scope: "host", schema: own });
    expect(schema).toMatchObject({
      ...own,
      properties: { edge_id: { type: "string" } },
      required: ["edge_id", "path"],
    });
    expect(Object.keys(schema?.properties as object)).toEqual(["edge_id", "path"]);
    expect(own.required).toEqual(["path"]);
  });

  it("keeps the skill's own edge_id and requires it once", () => {
    const named = { type: "object", properties: { edge_id: { enum: ["a"] } }, required: ["edge_id"] };
    expect(callSchema({ scope: "host", schema: named })).toEqual(named);
    expect([
      namesArgument(named, "edge_id"),
      namesArgument(named, "device_id"),
      namesArgument(null, "edge_id"),
    ]).toEqual([true, false, false]);
  });

  it("is null for a playbook, and an object for a schema without properties", () => {
    expect(callSchema({ scope: "host", schema: null })).toBeNull();
    expect(callSchema({ scope: "host", schema: {} })).toMatchObject({ type: "object", required: ["edge_id"] });
  });
});

test.each([
  ["Fix $ARGUMENTS now.", "#12 'as typed'", [], "Fix #12 'as typed' now."],
  ["$0 then $1, $ARGUMENTS[1]", `one "two words"`, [], "one then two words, two words"],
  ["$0 and $2", "one two", [], "one and $2"],
  ["$issue on $branch", "12 main", ["issue", "branch"], "12 on main"],
  ["costs \\$1 and $HOME", "x", [], "costs $1 and $HOME\n\nARGUMENTS: x\n"],
  ["# Plain\n", "a b", [], "# Plain\n\nARGUMENTS: a b\n"],
  ["# Plain\n", "", [], "# Plain\n"],
  ["Fix $ARGUMENTS.", "", [], "Fix ."],
  ["say $ARGUMENTS", "$0 $& $ARGUMENTS", [], "say $0 $& $ARGUMENTS"],
  ["$0|$1", "it's fine", [], "it's|fine"],
])("%j with %j", (text, typed, names, expected) => {
  expect(fillArguments(text, typed, names)).toBe(expected);
});
