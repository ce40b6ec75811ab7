import { z } from "zod";
import { Problem } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { Run } from "@/lib/runner/schema";
import { JsonObject } from "@/lib/skill-format/schema";
import packageJson from "@/package.json" with { type: "json" };
import { offeredTools } from "./list-tools";
import type { AgentTool } from "./schema";

export const ToolFormat = z.enum(["mcp", "openai", "anthropic"]);
export const ToolDefinitions = z.object({ tools: z.array(JsonObject) });
export type ToolFormat = z.infer<typeof ToolFormat>;

/** Tool definitions for clients: MCP's `tools/list`, OpenAI's function tools, or Anthropic's `tools`. */
export function writeToolDefinitions(tools: readonly AgentTool[], format: ToolFormat): JsonObject[] {
  return tools.map((tool) => WRITERS[format](tool));
}

const WRITERS: Record<ToolFormat, (tool: AgentTool) => JsonObject> = {
  mcp: ({ name, title, description, inputSchema, annotations }) => ({
    ...{ name, title, description, inputSchema, annotations },
  }),
  openai: ({ name, description, inputSchema }) => ({
    type: "function",
    // OpenAI has the same limit for descriptions.
    function: { name, description, parameters: inputSchema },
  }),
  anthropic: ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }),
};

/** OpenAPI 3.1 of the runs that the agent may start. A schema with references gets an `$id` to resolve them. */
export async function describeRuns(ctx: Ctx, publicUrl: string): Promise<JsonObject> {
  const { tools, revision } = await offeredTools(ctx);
  const skills = tools.filter(({ kind }) => kind === "skill");
  return {
    openapi: "3.1.0",
    info: { title: "Skills of this Skillgate", version: String(revision), license: { name: packageJson.license } },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    tags: [{ name: "runs", description: "Runs of the skills that you are offered." }],
    paths: Object.fromEntries(skills.map((tool) => [`/api/skills/${tool.skillId}/runs`, { post: operation(tool) }])),
    components: {
      schemas: { Run: schemaOf(Run), Problem: schemaOf(Problem) },
      responses: {
        Problem: {
          description: "A problem",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A personal or agent token (sgt_…)." },
      },
    },
  };
}

function operation({ name, title, description, inputSchema, class: runClass, skillId }: AgentTool): JsonObject {
  const hasReferences = JSON.stringify(inputSchema).includes('"$ref"');
  const args = hasReferences ? { $id: `urn:skillgate:arguments:${skillId}`, ...inputSchema } : inputSchema;
  const answer = (meaning: string) => ({
    description: meaning,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Run" } } },
  });
  return {
    operationId: name,
    tags: ["runs"],
    summary: title,
    description,
    "x-skill-class": runClass,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              args,
              wait: {
                type: "number",
                minimum: 0,
                maximum: 60,
                default: 0,
                description: "Seconds to wait for the result.",
              },
              confirm: { const: true, description: "People confirm runs that change data; agents cannot." },
            },
            required: ["args"],
          },
        },
      },
    },
    responses: {
      201: answer("The run; with `wait`, usually finished."),
      202: answer("The run waits for approval."),
      "4XX": { $ref: "#/components/responses/Problem" },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function schemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  return rest;
}
