import { describe, expect, it } from "vitest";
import { callArgsOf } from "./run-workspace";

const target = { id: "w1", name: "plant-3", online: true };
const plain = { type: "object", properties: { depth: {} } };
const called = { type: "object", properties: { edge_id: {}, depth: {} } };

describe("callArgsOf", () => {
  it.each([
    ["a skill on a host", { schema: plain, callSchema: called }, target, { edge_id: "plant-3", depth: 1 }],
    ["a skill of the manager", { schema: plain, callSchema: plain }, target, { depth: 1 }],
    ["a skill with an edge of its own", { schema: called, callSchema: called }, target, { depth: 1 }],
    ["a run that went anywhere", { schema: plain, callSchema: called }, null, { depth: 1 }],
  ])("writes what is sent again for %s", (_, skill, where, args) => {
    expect(callArgsOf({ args: { depth: 1 }, target: where }, skill)).toEqual(args);
  });
});
