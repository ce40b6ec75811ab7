import { expect, it } from "vitest";
import * as getEdgeSummary from "./get_edge_summary";
import type { Edge } from "./kit/edges-context";
import * as queryChangeEvents from "./query_change_events";
import * as queryEdges from "./query_edges";
import * as rankEdges from "./rank_edges";
import { callBuiltin } from "./testing/call-builtin";

function edge(name: string, changes: Partial<Edge> = {}): Edge {
  return {
    ...{ id: `id-${name}`, name, online: true, manager: false, version: "1", platform: "linux", isolation: "sandbox" },
    ...{ slots: 4, running: 1, load: 0.5, busy: 0.25, lastSeenAt: "2026-01-01T00:00:00.000Z" },
    ...{ runs: 10, succeeded: 9, failed: 1, failureRate: 0.1, averageMs: 100 },
    ...changes,
  };
}

const EDGES = [
  edge("berlin", { load: 3 }),
  edge("paris", { load: null, failed: 8, failureRate: 0.8 }),
  edge("oslo", { online: false, failed: 0, failureRate: null }),
];
const io = { context: { at: "2026-01-01T00:00:00.000Z", windowMinutes: 60, edges: EDGES, truncated: false } };

it("query_edges filters by name and state, and says how many there are", async () => {
  expect(await callBuiltin(queryEdges, { online: true, limit: 1 }, io)).toMatchObject({ total: 2, truncated: true });
  expect(await callBuiltin(queryEdges, { name: "OSL" }, io)).toMatchObject({ total: 1, edges: [{ name: "oslo" }] });
});

it("rank_edges leaves out who is offline or has no figure", async () => {
  expect(await callBuiltin(rankEdges, { by: "load" }, io)).toMatchObject({
    edges: [{ rank: 1, name: "berlin", value: 3 }],
  });
  const worst = await callBuiltin(rankEdges, { by: "failureRate", online_only: false }, io);
  expect((worst.edges as Edge[]).map(({ name }) => name)).toEqual(["paris", "berlin"]);
});

it("get_edge_summary says in words what stands out", async () => {
  const summary = await callBuiltin(getEdgeSummary, { edge_id: "id-oslo" }, io);
  expect(summary).toMatchObject({ edge: { name: "oslo" }, fleet: { edges: 3, online: 2, averageFailureRate: 0.45 } });
  expect(summary.remarks).toEqual(["It is offline since 2026-01-01T00:00:00.000Z."]);
  await expect(callBuiltin(getEdgeSummary, { edge_id: "rome" }, io)).rejects.toThrow('There is no edge "rome"');
});

it("query_change_events filters by action, actor and target", async () => {
  const event = {
    at: "2026-01-01T00:00:00.000Z",
    actor: "Tomas",
    outcome: "ok",
    target: "disk",
    summary: "approved disk",
  };
  const events = [
    { ...event, action: "version.approve" },
    { ...event, action: "versions.other", actor: "Mara" },
  ];
  const changes = { context: { at: "", windowMinutes: 60, events, truncated: false } };
  expect(await callBuiltin(queryChangeEvents, { action: "version" }, changes)).toMatchObject({ total: 1 });
  expect(await callBuiltin(queryChangeEvents, { actor: "mara", target: "DISK" }, changes)).toMatchObject({ total: 1 });
});

it("without what the server hands over there is an error and no empty answer", async () => {
  await expect(callBuiltin(queryEdges, {})).rejects.toThrow("no list of edges");
  await expect(callBuiltin(queryChangeEvents, {})).rejects.toThrow("no list of changes");
});
