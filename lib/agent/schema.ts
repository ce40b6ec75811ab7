import { z } from "zod";
import { JsonObject } from "@/lib/skill-format/schema";

export const ToolAnswer = z.object({
  content: z.string().describe("Text for the model."),
  notes: z
    .array(z.string())
    .describe("Further text for the model that is not part of the result: the end of a run’s stderr."),
  structured: JsonObject,
  isError: z.boolean(),
});
export type ToolAnswer = z.infer<typeof ToolAnswer>;

const Hints = z.object({
  title: z.string(),
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
});

export const AgentTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: JsonObject,
  annotations: Hints,
  kind: z.enum(["machinery", "skill"]),
  skillId: z.string().nullable(),
  class: z.enum(["safe", "mutating", "dangerous"]).nullable(),
  asksPerson: z.boolean().describe("A person has to confirm each run, since a personal token calls it."),
});
export type AgentTool = z.infer<typeof AgentTool>;

export const SessionHeader = "x-agent-session";

export const OpenSessionInput = z.strictObject({
  client: z.string().trim().min(1).max(200).optional().describe("Name and version of the agent."),
  capabilities: z
    .array(z.string().trim().min(1).max(64))
    .max(50)
    .optional()
    .describe("Capabilities of the agent’s own host, such as `filesystem.read`; they replace those of the workers."),
});

export const AuthorizeToolInput = z.object({
  tool: z
    .string()
    .min(1)
    .max(300)
    .describe("Name of any tool: an agent’s own, one of Skillgate, or `mcp__server__tool`."),
  session: z
    .string()
    .max(100)
    .optional()
    .describe("Id of the agent session; by default all recent sessions of the token."),
  input: JsonObject.optional().describe("The arguments of the call."),
  cwd: z.string().max(4096).optional().describe("Directory to which path patterns are relative."),
  server: z.string().max(100).default("skillgate").describe("The agent’s name for this MCP server."),
});
export type AuthorizeToolInput = z.infer<typeof AuthorizeToolInput>;

export const Authorization = z.object({
  decision: z.enum(["allow", "deny"]),
  reason: z.string(),
  skill: z.object({ id: z.string(), name: z.string() }).nullable(),
  session: z.string().nullable(),
});
export type Authorization = z.infer<typeof Authorization>;
