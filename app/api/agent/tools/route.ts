import { z } from "zod";
import { ToolDefinitions, ToolFormat, writeToolDefinitions } from "@/lib/agent/describe-tools";
import { listTools } from "@/lib/agent/list-tools";
import { QueryFlag } from "@/lib/core/schema";
import { agentSessionOf } from "@/lib/http/agent-session";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Tools that an agent may call, as definitions for MCP, OpenAI or Anthropic",
  query: z.object({
    format: ToolFormat.default("mcp"),
    machinery: QueryFlag.optional().describe("false: runnable skills only, without the built-in tools."),
  }),
  answer: ToolDefinitions,
  handle: async ({ ctx, query, request }) => {
    const { tools } = await listTools(ctx, await agentSessionOf(ctx, request));
    const wanted = query.machinery === false ? tools.filter(({ kind }) => kind === "skill") : tools;
    return { tools: writeToolDefinitions(wanted, query.format) };
  },
});
