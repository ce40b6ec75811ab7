import { z } from "zod";
import { QueryFlag } from "@/lib/core/schema";
import { HiddenReason, OfferedSkill } from "../offers/schema";
import { AgentTool } from "../schema";

export const PreambleFormat = z.enum(["xml", "markdown", "json"]);
export type PreambleFormat = z.infer<typeof PreambleFormat>;

export const PreambleMode = z.enum(["summary", "names", "off"]);
export type PreambleMode = z.infer<typeof PreambleMode>;

export const PreambleQuery = z.object({
  format: PreambleFormat.default("xml"),
  mode: PreambleMode.default("summary"),
  capabilities: z
    .string()
    .max(1000)
    .optional()
    .describe("Comma-separated capabilities of the agent’s own host; they replace those of the workers."),
  message: z.string().max(20_000).optional().describe("The person's message; skills with keywords are listed by it."),
  tools: QueryFlag.optional().describe("false: the agent has no tools, so it is not asked to save skills."),
});
export type PreambleQuery = z.infer<typeof PreambleQuery>;

const Line = z.object({
  name: z.string(),
  unit: z.enum(["tokens", "characters"]),
  limit: z.number().int(),
  over: z.boolean(),
  kept: z.number().int().describe("Skills within the limit."),
  cut: z.array(z.string()).describe("Names of skills beyond it, at most 50: clients with this limit leave them out."),
  cutCount: z.number().int(),
});

export const ContextBudget = z.object({
  characters: z.number().int(),
  tokens: z.number().int(),
  estimate: z.string().describe("How tokens are estimated."),
  window: z.number().int(),
  share: z.number().describe("Share of the window, from 0 to 1."),
  lines: z.array(Line),
});
export type ContextBudget = z.infer<typeof ContextBudget>;

export const Preamble = z.object({
  mode: PreambleMode,
  revision: z.number().int(),
  skills: z.array(OfferedSkill),
  hidden: z.object({
    total: z.number().int(),
    byReason: z.partialRecord(HiddenReason, z.number().int()),
    skills: z
      .array(z.object({ id: z.string(), name: z.string(), reason: HiddenReason, why: z.string() }))
      .nullable()
      .describe("At most 100; null for agents, which only get the number."),
  }),
  nudge: z.string().nullable(),
  budget: ContextBudget.describe("For the XML form."),
});
export type Preamble = z.infer<typeof Preamble>;

export const AgentViewQuery = PreambleQuery.pick({
  format: true,
  mode: true,
  capabilities: true,
  message: true,
}).extend({
  persona: z.string().max(100).optional().describe("Id of the persona; default: a token without one."),
  saves: QueryFlag.default(false).describe("The token may save skills (scope `write`)."),
});
export type AgentViewQuery = z.infer<typeof AgentViewQuery>;

export const AgentView = z.object({
  persona: z.object({ id: z.string(), name: z.string() }).nullable(),
  preamble: z.string().describe("The exact text that agents get."),
  skills: z.number().int().describe("Number of listed skills."),
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
    .describe("Enabled skills that are not offered, by reason, most frequent first."),
  tools: z.array(AgentTool),
  definitions: z
    .object({ mcp: z.array(z.unknown()), openai: z.array(z.unknown()), anthropic: z.array(z.unknown()) })
    .describe("The tools in each client format."),
});
export type AgentView = z.infer<typeof AgentView>;
