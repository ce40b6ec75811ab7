import { z } from "zod";
import { QueryFlag } from "@/lib/core/schema";
import { HiddenReason } from "../offers/schema";
import { ContextBudget, PreambleQuery } from "../preamble/schema";
import { AgentTool } from "../schema";

export const AgentViewQuery = PreambleQuery.pick({
  format: true,
  mode: true,
  capabilities: true,
  message: true,
}).extend({
  persona: z.string().max(100).optional().describe("Id of the persona; left out, a token without one."),
  saves: QueryFlag.default(false).describe("Whether the token may save skills: the scope `write`."),
});
export type AgentViewQuery = z.infer<typeof AgentViewQuery>;

export const AgentView = z.object({
  persona: z.object({ id: z.string(), name: z.string() }).nullable(),
  preamble: z.string().describe("Exactly what is served."),
  skills: z.number().int().describe("Skills it lists."),
  budget: ContextBudget,
  hidden: z
    .array(
      z.object({
        reason: HiddenReason,
        count: z.number().int(),
        skills: z
          .array(z.object({ id: z.string(), name: z.string(), why: z.string() }))
          .describe("At most 20 of them."),
      }),
    )
    .describe("Skills that are switched on and not offered, by reason, most first."),
  tools: z.array(AgentTool),
  definitions: z
    .object({ mcp: z.array(z.unknown()), openai: z.array(z.unknown()), anthropic: z.array(z.unknown()) })
    .describe("The tools as each kind of client registers them."),
});
export type AgentView = z.infer<typeof AgentView>;
