import { z } from "zod";
import { getEnv } from "@/lib/core/env";
import { QueryFlag } from "@/lib/core/schema";
import { describeApi } from "@/lib/http/describe-api";
import { type RouteHandler, route } from "@/lib/http/route";
import { ROUTES } from "../generated/routes";

export const GET: RouteHandler = route({
  access: "public",
  agents: "open",
  summary: "This description, whole or in parts",
  query: z.object({
    tag: z.string().max(40).optional().describe("Only the operations of this tag."),
    outline: QueryFlag.optional().describe("true: operations without parameters, bodies and answers."),
  }),
  handle: async ({ query: { tag, outline } }) => {
    const table: [path: string, module: Record<string, unknown>][] = [];
    // One after another, so that the event loop turns between two of them.
    for (const [path, load] of Object.entries(ROUTES)) table.push([path, await load()]);
    return describeApi(table, getEnv().publicUrl, { tag, isOutline: outline === true });
  },
});
