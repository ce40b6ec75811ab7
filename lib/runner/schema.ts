import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";
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
  workerId: z.string().optional(),
  confirm: z.literal(true).optional(),
  dryRun: z.boolean().optional().describe("Check everything that can be checked without starting; answers 200."),
});
export type StartRunInput = z.infer<typeof StartRunInput>;

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
  /** What was printed when it was not one JSON value. */
  rawOutput: z.string().nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  truncated: z.boolean(),
  isolation: z.enum(["none", "process", "sandbox"]).nullable(),
  worker: z.object({ id: z.string(), name: z.string() }).nullable(),
  caller: z.object({ kind: z.enum(["user", "token", "system"]), id: z.string(), name: z.string() }),
  sessionId: z.string().nullable(),
  timeoutMs: z.number().int(),
  queuedAt: IsoTime,
  startedAt: IsoTime.nullable(),
  finishedAt: IsoTime.nullable(),
  durationMs: z.number().nullable(),
});
export type Run = z.infer<typeof Run>;
export const RunPage = pageOf(Run);

export const ListRunsQuery = PageQuery.extend({
  skill: z.string().max(200).optional().describe("Id or name of a skill."),
  state: RunState.optional(),
  caller: z.string().max(100).optional().describe("Id of a person, or `me`."),
});
export type ListRunsQuery = z.infer<typeof ListRunsQuery>;

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
  isolation: z.enum(["none", "process", "sandbox"]).nullable(),
  slots: z.number().int(),
  running: z.number().int(),
  createdAt: IsoTime,
  lastSeenAt: IsoTime.nullable(),
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
export const CreatedWorker = z.object({ worker: Worker, token: z.string() });
