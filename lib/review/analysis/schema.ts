import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { AnalysisReport, AnalysisStep, MAX_STEP_SECONDS, MAX_STEPS } from "@/lib/policy/analysis/schema";
import { AnalysisAbility } from "@/lib/policy/eligibility/schema";
import { Grants } from "@/lib/policy/grants/schema";

export const StartAnalysisInput = z.strictObject({
  steps: z
    .array(AnalysisStep)
    .min(1)
    .max(MAX_STEPS)
    .optional()
    .describe("What to execute, in this order. Default: the plan of the version."),
  stepSeconds: z.number().int().min(1).max(MAX_STEP_SECONDS).default(20).describe("Time limit of each step."),
});
export type StartAnalysisInput = z.infer<typeof StartAnalysisInput>;

/** One declared or observed thing; see `compareDeclared`. */
export const ComparedLine = z.object({
  kind: z.enum(["host", "path", "env"]),
  what: z.string(),
  declared: z.enum(["declared", "named", "no"]),
  observed: z.enum(["yes", "no", "unknown"]),
});

const Worker = z.object({ id: z.string(), name: z.string() });

export const AnalysisState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("queued") }),
  z.object({ kind: z.literal("running"), worker: Worker, startedAt: IsoTime }),
  z.object({
    kind: z.literal("finished"),
    worker: Worker,
    startedAt: IsoTime,
    finishedAt: IsoTime,
    report: AnalysisReport,
    /** SHA-256 of the stored report; the audit event has it too. */
    reportDigest: z.string(),
    compared: z.array(ComparedLine),
    /** The permissions that cover exactly what was observed. */
    used: Grants.pick({ network: true, env: true, paths: true }),
    /** The texts of deeds that are what the version says of itself: a secret that it asks for went to a host that it names. */
    expected: z.array(z.string()),
  }),
  z.object({ kind: z.literal("failed"), finishedAt: IsoTime, reason: z.string() }),
]);

export const Analysis = z.object({
  id: z.string(),
  versionDigest: z.string(),
  /** `id` is null when the server requested it for an import. */
  requestedBy: z.object({ id: z.string().nullable(), name: z.string() }),
  createdAt: IsoTime,
  steps: z.array(AnalysisStep),
  stepSeconds: z.number().int(),
  state: AnalysisState,
});
export type Analysis = z.infer<typeof Analysis>;

export const AnalysisList = z.object({
  /** The newest five, and the newest five with a hostile act; newest first. */
  items: z.array(Analysis),
  nextCursor: z.null(),
  /** What a new analysis would execute. */
  plan: z.object({
    steps: z.array(AnalysisStep),
    /** Commands and scripts, or parts of them, that an agent may execute and none of the steps does. */
    leftOut: z.number().int(),
    /** An agent that follows the playbook, which only a reviewer adds; null when no model is set up. */
    agent: AnalysisStep.nullable(),
  }),
  /** Whether a worker that is online can execute one; if none can, each one's reason. */
  workers: z.array(z.object({ name: z.string(), ability: AnalysisAbility })),
  blindSpots: z.array(z.string()),
});
export type AnalysisList = z.infer<typeof AnalysisList>;

/** A finished analysis as it leaves with an approval. */
export const ExportedAnalysis = z.object({
  id: z.string(),
  finishedAt: IsoTime,
  requestedBy: z.string(),
  worker: z.string(),
  reportDigest: z.string(),
  /** JSON, exactly as it was hashed. */
  reportJson: z.string(),
});
export type ExportedAnalysis = z.infer<typeof ExportedAnalysis>;
