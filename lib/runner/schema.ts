import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf, QueryFlag } from "@/lib/core/schema";
import { Grants } from "@/lib/policy/grants/schema";
import { PermissionMode } from "@/lib/policy/schema";
import { Isolation, WorkerAllowance } from "@/lib/policy/worker-allowance";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";

export const RunState = z.enum([
  "awaiting_approval",
  "queued",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "rejected",
  "expired",
]);
export type RunState = z.infer<typeof RunState>;

export const FINAL_STATES: readonly RunState[] = ["succeeded", "failed", "cancelled", "rejected", "expired"];

export const StartRunInput = z.strictObject({
  args: JsonObject.default({}),
  wait: z.number().min(0).max(60).default(0).describe("Seconds to wait for the result."),
  workerId: z
    .string()
    .optional()
    .describe("Id or name of the worker that runs it; for scope host the same as `edge_id`."),
  edges: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(100)
    .optional()
    .describe("Ids or names of edges: starts one run on each, returned as a group."),
  confirm: z.literal(true).optional(),
  dryRun: z.boolean().optional().describe("Check everything without starting the run; answers 200."),
  sop: z.string().max(100).optional().describe("Id of the standard operating procedure that a dangerous run follows."),
});
export type StartRunInput = z.infer<typeof StartRunInput>;

/** Results of the policy: the run starts, the caller must confirm first, it waits for people, or it is refused. */
const GateOutcome = z.enum(["start", "confirm", "park", "refuse"]);

/** The answer to a dry run. `ok`: without `dryRun` the request would be accepted, to start or to wait. */
export const DryRun = z.object({
  ok: z.boolean(),
  outcome: GateOutcome,
  rule: z.string().describe("Name of the deciding policy rule."),
  reason: z.string(),
  signatures: z.number().int().describe("Number of people who must sign first."),
  class: SkillClass,
  versionDigest: z.string(),
});
export type DryRun = z.infer<typeof DryRun>;

export const RunApproval = z.object({
  rule: z.string(),
  reason: z.string(),
  given: z.number().int(),
  needed: z.number().int(),
  by: z.array(
    z.object({
      person: z.object({ id: z.string(), name: z.string() }),
      decision: z.enum(["approve", "reject"]),
      comment: z.string(),
      soloMode: z.boolean(),
      at: IsoTime,
    }),
  ),
  sopId: z.string().nullable(),
  requestedAt: IsoTime,
  expiresAt: IsoTime,
});
export type RunApproval = z.infer<typeof RunApproval>;

export const Run = z.object({
  id: z.string(),
  skill: z.object({ id: z.string(), name: z.string(), label: z.string().nullable() }),
  versionDigest: z.string(),
  versionNumber: z.number().int(),
  class: SkillClass,
  state: RunState,
  args: JsonObject,
  result: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  rawOutput: z.string().nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  truncated: z.boolean(),
  isolation: Isolation.nullable(),
  worker: z.object({ id: z.string(), name: z.string() }).nullable(),
  caller: z.object({
    kind: z.enum(["user", "token", "system"]),
    id: z.string(),
    name: z.string(),
    token: z.object({ id: z.string(), name: z.string() }).nullish(),
    persona: z.object({ id: z.string(), name: z.string() }).nullish(),
  }),
  approval: RunApproval.nullish(),
  sessionId: z.string().nullable(),
  timeoutMs: z.number().int(),
  queuedAt: IsoTime,
  startedAt: IsoTime.nullable(),
  finishedAt: IsoTime.nullable(),
  durationMs: z.number().nullable(),
  sandboxMs: z.number().nullable().describe("Time to build the sandbox, or to take a prewarmed one."),
  warm: z.boolean().nullable().describe("Whether a prewarmed process executed it."),
  cpuMs: z.number().nullable(),
  peakMemoryBytes: z.number().nullable(),
  attempt: z.number().int().describe("Counts from 1; a safe run whose worker was lost is tried once more."),
  retryOfId: z.string().nullable(),
  parentRunId: z.string().nullable().describe("The pipeline run that this is a step of."),
  stepIndex: z.number().int().nullable(),
  stepKey: z.string().nullable(),
  pipeline: z
    .object({ waitsFor: z.object({ step: z.number().int(), runId: z.string() }).nullable() })
    .nullish()
    .describe("Set for a pipeline. `waitsFor`: the step, counted from 1, that waits for approval."),
  groupId: z.string().nullable().describe("Shared by the runs of one request for several edges."),
  target: z
    .object({ id: z.string(), name: z.string(), online: z.boolean() })
    .nullable()
    .describe("The worker that the request named; the run waits while it is offline."),
  scheduleId: z.string().nullable(),
});
export type Run = z.infer<typeof Run>;
export const RunPage = pageOf(Run);

export const RunGroup = z.object({ groupId: z.string(), runs: z.array(Run) });
export type RunGroup = z.infer<typeof RunGroup>;

const runFilters = {
  skill: z.string().max(200).optional().describe("Id or name of a skill."),
  q: z.string().trim().max(200).optional().describe("Part of the name or label of a skill."),
  state: RunState.optional(),
  class: SkillClass.optional(),
  caller: z.string().max(100).optional().describe("Id of a person, or `me`."),
  worker: z.string().max(100).optional().describe("Id or name of the worker that ran it."),
  group: z.string().max(100).optional().describe("Runs of this group."),
  schedule: z.string().max(100).optional().describe("Runs of this schedule."),
  parent: z.string().max(100).optional().describe("The steps of this pipeline run."),
  steps: QueryFlag.optional().describe("Whether to include steps of pipelines; default: only with `parent`."),
  from: IsoTime.optional().describe("Queued at this time or later."),
  to: IsoTime.optional().describe("Queued before this time."),
};
export const ListRunsQuery = PageQuery.extend(runFilters);
export type ListRunsQuery = z.infer<typeof ListRunsQuery>;
export type RunFilters = Omit<ListRunsQuery, "limit" | "cursor">;

/** Default of `to`: now. Default of `from`: 24 hours before `to`, or before now when `to` is later. */
export const RunSummaryQuery = z.object({
  ...runFilters,
  buckets: z.coerce.number().int().min(1).max(200).default(48).describe("Number of equal parts of the time range."),
});
export type RunSummaryQuery = z.infer<typeof RunSummaryQuery>;

const RunCounts = z.partialRecord(RunState, z.number().int()).describe("Number of runs per state.");

export const RunSummary = z.object({
  from: IsoTime,
  to: IsoTime,
  bucketMs: z.number(),
  total: z.number().int(),
  states: RunCounts,
  buckets: z.array(
    z.object({
      from: IsoTime,
      states: RunCounts,
      p50Ms: z.number().nullable().describe("Median duration of its runs; null without a finished run."),
      p95Ms: z.number().nullable(),
    }),
  ),
});
export type RunSummary = z.infer<typeof RunSummary>;

export const CancelRunsInput = z.strictObject({
  ids: z.array(z.string().max(100)).min(1).max(100),
  reason: z.string().trim().max(500).default("").describe("Stored in the error of each run and in the audit log."),
});
export type CancelRunsInput = z.infer<typeof CancelRunsInput>;

/** In the order of the ids. A run that cannot be cancelled has a problem and does not affect the others. */
export const CancelRunsAnswer = z.object({
  results: z.array(
    z.discriminatedUnion("ok", [
      z.object({ id: z.string(), ok: z.literal(true), run: Run }),
      z.object({ id: z.string(), ok: z.literal(false), problem: z.object({ code: z.string(), detail: z.string() }) }),
    ]),
  ),
});
export type CancelRunsAnswer = z.infer<typeof CancelRunsAnswer>;

export const RunDecisionInput = z
  .strictObject({ decision: z.enum(["approve", "reject"]), comment: z.string().trim().max(4000).default("") })
  .refine((input) => input.decision === "approve" || input.comment !== "", {
    path: ["comment"],
    message: "enter the reason for the rejection",
  });
export type RunDecisionInput = z.infer<typeof RunDecisionInput>;

const PersonRef = z.object({ id: z.string(), name: z.string() });

export const ApprovalItem = Run.extend({
  approval: RunApproval,
  skill: Run.shape.skill.extend({ description: z.string(), toolName: z.string() }),
  /** The person who asks, and the token and persona of the request. */
  asks: z.object({
    person: PersonRef,
    token: PersonRef.nullable(),
    persona: PersonRef.extend({ permissionMode: PermissionMode.nullable() }).nullable(),
  }),
  /** SHA-256 of the frozen arguments, which the run will use unchanged. */
  argsDigest: z.string(),
  classMeaning: z.string(),
  grants: Grants,
  touches: z.array(z.string()),
  targetWorker: PersonRef.nullable(),
  maySign: z.array(PersonRef),
  you: z.object({ maySign: z.boolean(), whyNot: z.string().nullable() }),
  sop: z
    .object({ id: z.string(), title: z.string(), text: z.string(), digest: z.string(), valid: z.boolean() })
    .nullable(),
});
export type ApprovalItem = z.infer<typeof ApprovalItem>;
export const ApprovalPage = pageOf(ApprovalItem);

export const ListApprovalsQuery = PageQuery.extend({
  show: z
    .enum(["mine", "asked", "all"])
    .default("mine")
    .describe(
      "`mine`: wait for the caller’s decision; `asked`: started by the caller; `all`: all that the caller may see.",
    ),
  run: z.string().max(100).optional().describe("Only the run with this id, if it waits."),
});
export type ListApprovalsQuery = z.infer<typeof ListApprovalsQuery>;

export const SopKey = z.object({
  id: z.string(),
  name: z.string(),
  fingerprint: z.string().describe("SHA-256 of the key in DER form, in hex."),
  bits: z.number().int(),
  createdAt: IsoTime,
  createdBy: z.string(),
});
export type SopKey = z.infer<typeof SopKey>;
export const SopKeyPage = pageOf(SopKey);

export const CreateSopKeyInput = z.strictObject({
  name: lineOfText(100),
  publicKey: z.string().max(20_000).describe("An RSA public key of at least 2048 bits, in PEM form."),
});
export type CreateSopKeyInput = z.infer<typeof CreateSopKeyInput>;

export const SopAlgorithm = z.enum(["rsa-sha256", "rsa-pss-sha256"]);
export type SopAlgorithm = z.infer<typeof SopAlgorithm>;

/** A standard operating procedure. `valid`: its signature verifies against a key that is still registered. */
export const Sop = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  digest: z.string(),
  algorithm: SopAlgorithm,
  key: z.object({ id: z.string(), name: z.string() }),
  valid: z.boolean(),
  createdAt: IsoTime,
  createdBy: z.string(),
});
export type Sop = z.infer<typeof Sop>;
export const SopPage = pageOf(Sop);

export const CreateSopInput = z.strictObject({
  title: lineOfText(200),
  text: z.string().min(1).max(200_000).describe("The document; the signature covers its exact UTF-8 bytes."),
  signature: z.base64().max(4_000).describe("RSA signature over the text, in base64."),
  keyId: z.string().max(100).optional().describe("Default: every registered key is tried."),
  algorithm: SopAlgorithm.default("rsa-sha256"),
});
export type CreateSopInput = z.infer<typeof CreateSopInput>;

export const RunEvent = z.object({
  seq: z.number().int(),
  at: IsoTime,
  stream: z.enum(["stderr", "system"]),
  text: z.string(),
});
export type RunEvent = z.infer<typeof RunEvent>;

export const Worker = z.object({
  id: z.string(),
  name: z.string(),
  manager: z.boolean(),
  online: z.boolean(),
  version: z.string().nullable(),
  platform: z.string().nullable(),
  isolation: Isolation.nullable(),
  isolationFacts: z.array(z.string()).describe("The parts of its sandbox, or why there is none."),
  allows: WorkerAllowance.nullable().describe(
    "What its operator allows runs beyond the plain sandbox; null if its release does not report it.",
  ),
  slots: z.number().int(),
  running: z.number().int(),
  createdAt: IsoTime,
  lastSeenAt: IsoTime.nullable(),
  load: z.number().nullable().describe("Load average of its machine over one minute."),
  skills: z.number().int().describe("Number of skills in its last inventory."),
  inventoryAt: IsoTime.nullable(),
});
export type Worker = z.infer<typeof Worker>;
export const WorkerPage = pageOf(Worker);

export const CreateWorkerInput = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "lower-case letters, digits and hyphens, at most 63"),
  manager: z.boolean().default(false).describe("Whether it also takes runs of scope manager."),
});
export type CreateWorkerInput = z.infer<typeof CreateWorkerInput>;
export const CreatedWorker = z.object({
  worker: Worker,
  token: z.string(),
  url: z.string().describe("Address of this server, for the command that starts the worker."),
});

export const Edge = z.object({
  id: z.string(),
  name: z.string(),
  online: z.boolean(),
  lastSeenAt: IsoTime.nullable(),
  platform: z.string().nullable(),
  offers: z.boolean().nullable().describe("Whether it can run the skill of the query; null without one."),
});
export type Edge = z.infer<typeof Edge>;
export const EdgePage = pageOf(Edge);
export const ListEdgesQuery = z.object({ skill: z.string().max(200).optional().describe("Id or name of a skill.") });
export type ListEdgesQuery = z.infer<typeof ListEdgesQuery>;

/** The scope of a pipeline's own run, which no worker takes. */
export const PIPELINE_SCOPE = "pipeline";
