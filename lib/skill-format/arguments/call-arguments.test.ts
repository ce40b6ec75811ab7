import { describe, expect, it } from "vitest";
import { callSchema, namesArgument } from "./call-arguments";

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
