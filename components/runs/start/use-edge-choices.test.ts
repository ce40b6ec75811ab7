import { expect, it } from "vitest";
import { withEdges } from "./use-edge-choices";

const schema = { type: "object", properties: { edge_id: { type: "string" }, path: {} }, required: ["edge_id"] };
const edge = { id: "1", name: "rack-1", online: true, lastSeenAt: "2026-01-01T00:00:00.000Z", platform: "linux x64" };

it("offers the edges by name with their state", () => {
  const edges = [edge, { ...edge, name: "rack-2", online: false }, { ...edge, name: "new", lastSeenAt: null }];
  const { edge_id } = withEdges(
    schema,
    edges.map((one) => ({ ...one, offers: true })),
  ).properties as Record<string, { oneOf: unknown }>;
  expect(edge_id?.oneOf).toEqual([
    { const: "rack-1", title: "rack-1 (online, linux x64)" },
    { const: "rack-2", title: "rack-2 (offline, the run waits, linux x64)" },
    { const: "new", title: "new (never connected)" },
  ]);
});

it("stays a text field without edges, and leaves schemas without an edge unchanged", () => {
  const { edge_id } = withEdges(schema, []).properties as Record<string, unknown>;
  expect(edge_id).toEqual({ type: "string", description: "No edge offers this skill." });
  const plain = { type: "object", properties: {} };
  expect(withEdges(plain, [])).toBe(plain);
});
