import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { type Edge, edgesOf } from "./kit/edges-context";

const schema = () =>
  z.strictObject({
    edge_id: z.string().min(1).max(100).describe("Name or id of the worker."),
    window_minutes: z.int().min(1).max(43_200).default(1440).describe("Time range of the counted runs, in minutes."),
  });

export const metadata: BuiltinMetadata = {
  name: "get_edge_summary",
  label: "Summary of an edge",
  description:
    "Report how one worker does: state, load, runs and failures of a window, compared with the others, and what stands out, in sentences.",
  class: "safe",
  scope: "manager",
  category: "fleet",
  schema,
  resultPreview: "the edge, averages of all edges, and remarks in sentences",
  context: "edges",
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { edges, at, windowMinutes } = edgesOf(io);
  const edge = edges.find(({ id, name }) => id === args.edge_id || name === args.edge_id);
  if (!edge) throw new BuiltinError(`There is no edge ${JSON.stringify(args.edge_id)}.`);
  const finished = edges.filter(({ failureRate }) => failureRate !== null);
  const fleet = {
    edges: edges.length,
    online: edges.filter(({ online }) => online).length,
    averageLoad: average(edges.flatMap(({ online, load }) => (online && load !== null ? [load] : []))),
    averageFailureRate: average(finished.map(({ failureRate }) => failureRate ?? 0)),
  };
  return { at, windowMinutes, edge, fleet, remarks: remarksOn(edge, fleet.averageFailureRate) };
}

function remarksOn(edge: Edge, averageFailureRate: number | null): string[] {
  const { failureRate } = edge;
  return [
    ...(edge.online
      ? []
      : [edge.lastSeenAt === null ? "It was never online." : `It is offline since ${edge.lastSeenAt}.`]),
    ...(edge.isolation === "sandbox" ? [] : ["It has no sandbox."]),
    ...(edge.busy >= 1 ? ["All of its slots are taken."] : []),
    ...(edge.runs === 0 ? ["It ran nothing in this window that you can see."] : []),
    ...(failureRate !== null && averageFailureRate !== null && edge.failed >= 3 && failureRate > 2 * averageFailureRate
      ? ["It fails more than twice as often as the average edge."]
      : []),
  ];
}

function average(values: number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((1000 * values.reduce((sum, next) => sum + next, 0)) / values.length) / 1000;
}
