import { z } from "zod";
import { QueryFlag } from "@/lib/core/schema";
import { HiddenReason, OfferedSkill } from "../offers/schema";

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
