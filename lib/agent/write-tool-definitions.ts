import { z } from "zod";
import type { JsonObject } from "@/lib/skill-format/schema";
import type { AgentTool } from "./schema";

export const ToolFormat = z.enum(["mcp", "openai", "anthropic"]);
export type ToolFormat = z.infer<typeof ToolFormat>;

/** The longest description that OpenAI's function definitions take. */
const MAX_OPENAI_CHARS = 1024;

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
    function: {
      name,
      description: [...description].slice(0, MAX_OPENAI_CHARS).join(""),
      parameters: inputSchema,
    },
  }),
  anthropic: ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }),
};
