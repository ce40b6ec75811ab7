import { z } from "zod";
import { NamedSkill } from "@/lib/agent/sessions/schema";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";

export const MAX_TRACE_BYTES = 8_192;

export const TraceSurface = z.enum(["page", "http", "mcp", "playground", "evaluation", "schedule", "pipeline"]);
export type TraceSurface = z.infer<typeof TraceSurface>;

export const TraceKind = z.enum(["executable", "instructional"]);
/** `open`: waiting for approval or a worker, or running. */
export const TraceOutcome = z.enum(["ok", "failed", "refused", "cancelled", "open"]);
export type TraceOutcome = z.infer<typeof TraceOutcome>;

export const Rating = z.union([z.literal(-1), z.literal(0), z.literal(1)]);
export type Rating = z.infer<typeof Rating>;

const Named = z.object({ id: z.string(), name: z.string().nullable() });

export const Trace = z.object({
  id: z.string().describe("Id of the run or of the session's step."),
  at: IsoTime,
  skill: NamedSkill.nullable().describe("Null when the request named no skill that the caller’s agent knows."),
  source: z.string().nullable().describe("Origin of the skill, such as `imported`."),
  kind: TraceKind.describe("`executable`: a run. `instructional`: its playbook was loaded."),
  versionDigest: z.string().nullable(),
  versionNumber: z.number().int().nullable(),
  surface: TraceSurface,
  outcome: TraceOutcome,
  detail: z.string().describe("One sentence; for a failure or refusal, its reason."),
  durationMs: z.number().nullable(),
  person: Named,
  runId: z.string().nullable(),
  sessionId: z.string().nullable().describe("The agent’s session; null when the caller may not see it."),
  rating: Rating,
  ratedBy: Named.nullable(),
  mayRate: z.boolean(),
});
export type Trace = z.infer<typeof Trace>;
export const TracePage = pageOf(Trace);

/** Input or output of a trace, truncated and without secrets. */
const Side = z.object({
  text: z.string().describe("At most 8 KiB."),
  bytes: z.number().int().describe("Full size."),
  digest: z.string().nullable().describe("SHA-256 of the full text, if truncated."),
});
export type TraceSide = z.infer<typeof Side>;

export const TraceDetail = Trace.extend({
  input: Side.nullable().describe("Null when unknown."),
  output: Side.nullable(),
});
export type TraceDetail = z.infer<typeof TraceDetail>;

const Filters = z.object({
  skill: z.string().max(200).optional().describe("Id or name."),
  version: z.string().max(64).optional().describe("Digest."),
  source: z.string().max(40).optional(),
  kind: TraceKind.optional(),
  surface: TraceSurface.optional(),
  outcome: TraceOutcome.optional(),
  rating: z.enum(["up", "down", "none"]).optional(),
  session: z.string().max(100).optional().describe("Id of an agent’s session."),
  from: IsoTime.optional(),
  to: IsoTime.optional(),
});
export type TraceFilters = z.infer<typeof Filters>;

export const ListTracesQuery = PageQuery.extend(Filters.shape);
export type ListTracesQuery = z.infer<typeof ListTracesQuery>;
export const TraceFiguresQuery = Filters.extend({ by: z.enum(["skill", "version"]).default("skill") });
export type TraceFiguresQuery = z.infer<typeof TraceFiguresQuery>;

export const TraceFigure = z.object({
  skill: NamedSkill,
  versionDigest: z.string().nullable().describe("With `by=version`."),
  versionNumber: z.number().int().nullable(),
  uses: z.number().int(),
  okShare: z
    .number()
    .nullable()
    .describe("Share of successes among finished uses, 0 to 1; null without finished uses."),
  medianMs: z.number().nullable(),
  up: z.number().int(),
  down: z.number().int(),
});
export type TraceFigure = z.infer<typeof TraceFigure>;

export const TraceFigures = z.object({
  items: z.array(TraceFigure).describe("Most used first, at most 50."),
  days: z.number().int().describe("How long traces are kept."),
  isPartial: z.boolean().describe("Only the newest 5,000 runs and 5,000 steps were counted."),
});
export type TraceFigures = z.infer<typeof TraceFigures>;

export const RateTraceInput = z.strictObject({ rating: Rating.describe("0 removes the rating.") });
