import { z } from "zod";
import type { BuiltinIo, BuiltinMetadata } from "./kit/builtin";
import { type Edge, edgesOf } from "./kit/edges-context";

const METRICS = ["load", "busy", "running", "runs", "failed", "failureRate", "averageMs"] as const;

const schema = () =>
  z.strictObject({
    by: z.enum(METRICS).default("load").describe("Metric to compare."),
    order: z.enum(["highest", "lowest"]).default("highest").describe("Sort order."),
    online_only: z.boolean().default(true).describe("Whether to leave out offline edges."),
    window_minutes: z.int().min(1).max(43_200).default(1440).describe("Time range of the counted runs, in minutes."),
    limit: z.int().min(1).max(100).default(10).describe("Maximum number of edges."),
  });

export const metadata: BuiltinMetadata = {
  name: "rank_edges",
  label: "Rank edges",
  description:
    "Put the workers of this instance in order by load, share of slots taken, running runs, runs, failures, failure rate or average duration in a window.",
  class: "safe",
  scope: "manager",
  category: "fleet",
  schema,
  resultPreview: "edges in order, each with rank, name and value",
  context: "edges",
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { edges, at, windowMinutes, truncated } = edgesOf(io);
  const sign = args.order === "highest" ? -1 : 1;
  const ranked = edges
    .filter((edge) => edge.online || !args.online_only)
    .flatMap((edge) => rankedBy(edge, args.by))
    .sort((a, b) => sign * (a.value - b.value) || (a.name < b.name ? -1 : 1));
  const shown = ranked.slice(0, args.limit).map((edge, index) => ({ rank: index + 1, ...edge }));
  return { at, windowMinutes, by: args.by, order: args.order, total: ranked.length, edges: shown, truncated };
}

function rankedBy(edge: Edge, by: (typeof METRICS)[number]) {
  const value = edge[by];
  return value === null ? [] : [{ id: edge.id, name: edge.name, online: edge.online, value }];
}
