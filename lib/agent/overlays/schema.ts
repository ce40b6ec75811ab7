import { z } from "zod";
import { IsoTime, lineOfText, PageQuery } from "@/lib/core/schema";

export const MIN_TRACES = 20;
/** Limit of the format for a description; the other limits bound the examples in an agent's index. */
export const MAX_DESCRIPTION = 1024;
export const MAX_EXAMPLES = 20;
export const MAX_EXAMPLE_CHARS = 4000;

export const OverlayExample = z.object({
  input: z.string().min(1).max(MAX_EXAMPLE_CHARS),
  output: z.string().min(1).max(MAX_EXAMPLE_CHARS),
});
export type OverlayExample = z.infer<typeof OverlayExample>;

/** Texts of a skill for agents: its own, or an overlay's. */
export const OverlayContent = z.object({ description: z.string(), fewShot: z.array(OverlayExample) });
export type OverlayContent = z.infer<typeof OverlayContent>;

export const OverlayEvidence = z.object({
  traces: z
    .array(
      z.object({
        id: z.string(),
        at: IsoTime,
        surface: z.string(),
        input: z.string(),
        rating: z.number(),
        outcome: z.string(),
        chosen: z.boolean().describe("Used as an example."),
      }),
    )
    .default([]),
  ratedUp: z.number().default(0),
  ratedDown: z.number().default(0),
  failed: z.number().default(0),
  score: z
    .object({ before: z.number(), after: z.number(), calls: z.number(), model: z.string() })
    .nullable()
    .default(null)
    .describe("Share of held-out requests for which a model chose correctly by the description."),
});
export type OverlayEvidence = z.infer<typeof OverlayEvidence>;

export const OverlayState = z.enum(["working", "pending", "approved", "rejected", "withdrawn", "replaced", "failed"]);
export type OverlayState = z.infer<typeof OverlayState>;

export const SkillOverlay = z.object({
  id: z.string(),
  skill: z.object({ id: z.string(), name: z.string() }),
  state: OverlayState,
  error: z.string().nullable(),
  isApplied: z.boolean().describe("Agents see it now: it is approved, and its base version is active."),
  baseDigest: z.string().describe("The version it was made for; it applies while that version is active."),
  optimizer: z.string(),
  optimizedAt: IsoTime,
  traceCount: z.number(),
  before: OverlayContent,
  after: OverlayContent,
  evidence: OverlayEvidence,
  createdAt: IsoTime,
  createdBy: z.string(),
  decidedAt: IsoTime.nullable(),
  decidedBy: z.string().nullable(),
  comment: z.string().nullable(),
  you: z.object({ mayDecide: z.boolean(), whyNot: z.string().nullable(), mayWithdraw: z.boolean() }),
});
export type SkillOverlay = z.infer<typeof SkillOverlay>;

export const SubmitOverlayInput = z.strictObject({
  toml: z
    .string()
    .max(256 * 1024)
    .describe("An `optimized.toml` from another optimiser."),
});
export type SubmitOverlayInput = z.infer<typeof SubmitOverlayInput>;

export const OptimizeInput = z.strictObject({
  optimizer: z.enum(["bootstrap", "gepa"]).default("bootstrap"),
  endpointId: z.string().max(60).optional().describe("For gepa: the model endpoint."),
  model: lineOfText(200).optional().describe("For gepa: one of the endpoint's models; by default its default model."),
});
export type OptimizeInput = z.infer<typeof OptimizeInput>;

export const DecideOverlayInput = z.strictObject({
  decision: z.enum(["approve", "reject", "withdraw"]),
  comment: z.string().trim().max(2000).default(""),
});
export type DecideOverlayInput = z.infer<typeof DecideOverlayInput>;

export const ListOverlaysQuery = PageQuery.extend({ state: OverlayState.optional() });
export type ListOverlaysQuery = z.infer<typeof ListOverlaysQuery>;
