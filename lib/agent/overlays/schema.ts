import { z } from "zod";
import { IsoTime, lineOfText, PageQuery } from "@/lib/core/schema";

/** The least number of traces of a skill that an optimiser is let at. */
export const MIN_TRACES = 20;
/** What an overlay may say: the format's own limit for a description, and what a preamble can carry of examples. */
export const MAX_DESCRIPTION = 1024;
export const MAX_EXAMPLES = 20;
export const MAX_EXAMPLE_CHARS = 4000;

export const OverlayExample = z.object({
  input: z.string().min(1).max(MAX_EXAMPLE_CHARS),
  output: z.string().min(1).max(MAX_EXAMPLE_CHARS),
});
export type OverlayExample = z.infer<typeof OverlayExample>;

/** What agents are told of a skill: its own words, or an overlay's. */
export const OverlayContent = z.object({ description: z.string(), fewShot: z.array(OverlayExample) });
export type OverlayContent = z.infer<typeof OverlayContent>;

/** What a proposal rests on. */
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
        chosen: z.boolean().describe("It became one of the examples."),
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
    .describe("Share of requests for which a model chose rightly by the description, on examples kept apart."),
});
export type OverlayEvidence = z.infer<typeof OverlayEvidence>;

export const OverlayState = z.enum(["working", "pending", "approved", "rejected", "withdrawn", "replaced", "failed"]);
export type OverlayState = z.infer<typeof OverlayState>;

export const SkillOverlay = z.object({
  id: z.string(),
  skill: z.object({ id: z.string(), name: z.string() }),
  state: OverlayState,
  error: z.string().nullable(),
  isApplied: z.boolean().describe("Agents are told this now: it is approved, and the version it speaks of serves."),
  baseDigest: z.string().describe("The version it speaks of; it applies while that one serves."),
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
    .describe("An `optimized.toml`, as an optimiser elsewhere wrote it."),
});
export type SubmitOverlayInput = z.infer<typeof SubmitOverlayInput>;

export const OptimizeInput = z.strictObject({
  optimizer: z.enum(["bootstrap", "gepa"]).default("bootstrap"),
  endpointId: z.string().max(60).optional().describe("For gepa: the model endpoint to ask."),
  model: lineOfText(200).optional().describe("For gepa: one of the endpoint's models; its default when left out."),
});
export type OptimizeInput = z.infer<typeof OptimizeInput>;

export const DecideOverlayInput = z.strictObject({
  decision: z.enum(["approve", "reject", "withdraw"]),
  comment: z.string().trim().max(2000).default(""),
});
export type DecideOverlayInput = z.infer<typeof DecideOverlayInput>;

export const ListOverlaysQuery = PageQuery.extend({ state: OverlayState.optional() });
export type ListOverlaysQuery = z.infer<typeof ListOverlaysQuery>;
