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
    .describe("Comma-separated: what the agent’s own host can do; asked in place of the workers’."),
  message: z.string().max(20_000).optional().describe("What the person said; skills with keywords are listed by it."),
  tools: QueryFlag.optional().describe("false: the agent has no tools, so it is not asked to save what it learned."),
});
export type PreambleQuery = z.infer<typeof PreambleQuery>;

const Line = z.object({
  name: z.string(),
  unit: z.enum(["tokens", "characters"]),
  limit: z.number().int(),
  over: z.boolean(),
  kept: z.number().int().describe("Skills that stand before the line."),
  cut: z.array(z.string()).describe("Names of those behind it, at most 50: what a client with this limit leaves out."),
  cutCount: z.number().int(),
});

/** How much of a model’s context the preamble takes. */
export const ContextBudget = z.object({
  characters: z.number().int(),
  tokens: z.number().int(),
  estimate: z.string().describe("How tokens are estimated."),
  window: z.number().int(),
  share: z.number().describe("Of the window, between 0 and 1."),
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
      .describe("At most 100; null for agents, which are only told how many."),
  }),
  nudge: z.string().nullable(),
  budget: ContextBudget.describe("Of the XML form."),
});
export type Preamble = z.infer<typeof Preamble>;

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
