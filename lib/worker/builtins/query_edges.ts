import { z } from "zod";
import type { BuiltinIo, BuiltinMetadata } from "./kit/builtin";
import { edgesOf } from "./kit/edges-context";

const schema = () =>
  z.strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("Only edges whose name contains this text (case-insensitive)."),
    online: z.boolean().optional().describe("Only online edges (true), or only offline ones (false)."),
    window_minutes: z.int().min(1).max(43_200).default(1440).describe("Time range of the counted runs, in minutes."),
    limit: z.int().min(1).max(500).default(100).describe("Maximum number of edges."),
  });

export const metadata: BuiltinMetadata = {
  name: "query_edges",
  label: "List edges",
  description:
    "List the workers of this instance with state, platform, load and the runs and failures of a window, as far as you may see the runs.",
  class: "safe",
  scope: "manager",
  category: "fleet",
  schema,
  resultPreview: "edges with name, state, version, load, runs and failures",
  context: "edges",
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { edges, at, windowMinutes, truncated } = edgesOf(io);
  const wanted = args.name?.toLowerCase();
  const found = edges.filter(
    (edge) =>
      (wanted === undefined || edge.name.toLowerCase().includes(wanted)) &&
      (args.online === undefined || edge.online === args.online),
  );
  return {
    at,
    windowMinutes,
    total: found.length,
    edges: found.slice(0, args.limit),
    truncated: truncated || found.length > args.limit,
  };
}
