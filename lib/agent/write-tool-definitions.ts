import { z } from "zod";
import { JsonObject } from "@/lib/skill-format/schema";
import type { AgentTool } from "./schema";

export const ToolFormat = z.enum(["mcp", "openai", "anthropic"]);
/** In the words of MCP, OpenAI or Anthropic, as the format was asked for. */
export const ToolDefinitions = z.object({ tools: z.array(JsonObject) });
export type ToolFormat = z.infer<typeof ToolFormat>;

/** Tools as a client registers them: MCP's `tools/list`, OpenAI's function tools, or Anthropic's `tools`. */
export function writeToolDefinitions(tools: readonly AgentTool[], format: ToolFormat): JsonObject[] {
  return tools.map((tool) => WRITERS[format](tool));
}

const WRITERS: Record<ToolFormat, (tool: AgentTool) => JsonObject> = {
  mcp: ({ name, title, description, inputSchema, annotations }) => ({
    ...{ name, title, description, inputSchema, annotations },
  }),
  openai: ({ name, description, inputSchema }) => ({
    type: "function",
    // Their own limit for a description is the same.
    function: { name, description, parameters: inputSchema },
  }),
  anthropic: ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }),
};
