import { z } from "zod";
import {
  AgentCommand,
  AnalysisReport,
  AnalysisStep,
  MAX_AGENT_COMMANDS,
  MAX_STEP_SECONDS,
  MAX_STEPS,
} from "@/lib/policy/analysis/schema";
import { AnalysisAbility } from "@/lib/policy/eligibility/schema";
import { Isolation, WorkerAllowance } from "@/lib/policy/worker-allowance";
import { ScriptCall, ScriptOutput } from "@/lib/skill-format/entry/script-entry";

/**
 * The protocol between worker and server, over HTTP with a `Bearer sgw_…` token. One exchange carries everything: the
 * worker reports events, completions and the runs it still holds, and asks for as many leases as it has free slots; the
 * server answers with leases and with the runs to cancel. With `waitSeconds` > 0 the server holds the exchange open until
 * it has a lease or a cancellation.
 */

export const LEASE_SECONDS = 15;
export const HEARTBEAT_SECONDS = 3;
export const MAX_WAIT_SECONDS = 20;
export const MAX_EVENT_TEXT = 16_384;
export const MAX_EVENTS_PER_EXCHANGE = 500;

export const RegisterRequest = z.object({
  name: z.string().min(1).max(100),
  version: z.string().max(50),
  platform: z.string().max(100),
  pid: z.number().int().nonnegative(),
  slots: z.number().int().min(1).max(256),
  isolation: Isolation,
  /** The parts of the sandbox, or why there is none; one sentence each, for people. */
  isolationFacts: z.array(z.string().max(300)).max(20).optional(),
  /** Capability ids that the worker declares for skills, such as `shell.exec`; default: none. */
  capabilities: z.array(z.string().max(64)).max(50).optional(),
  /** Programs on its PATH, and names of its environment variables that a decision could grant. */
  bins: z.array(z.string().max(100)).max(10_000).optional(),
  env: z.array(z.string().max(200)).max(1_000).optional(),
  /** What its operator allows runs beyond the plain sandbox; default: nothing. */
  allows: WorkerAllowance.optional(),
  /** Whether it can analyse versions without approval, with the reason if not; default: it cannot. */
  analysis: AnalysisAbility.optional(),
});
export type RegisterRequest = z.infer<typeof RegisterRequest>;

export const RegisterResponse = z.object({ workerId: z.string(), name: z.string() });
export type RegisterResponse = z.infer<typeof RegisterResponse>;

const PositiveInt = z.number().int().positive();

export const RunLimits = z.object({
  timeoutMs: PositiveInt,
  stdoutBytes: PositiveInt,
  stderrBytes: PositiveInt,
  /** Per process; includes only writable memory. This and the following limits apply in a sandbox only. */
  memoryBytes: PositiveInt.default(1024 ** 3),
  processes: PositiveInt.default(256),
  /** Per file that the run writes. */
  fileBytes: PositiveInt.default(256 * 1024 ** 2),
  openFiles: PositiveInt.default(1024),
  diskBytes: PositiveInt.default(256 * 1024 ** 2),
});
export type RunLimits = z.infer<typeof RunLimits>;

/** The access that the decision grants a run beyond its own files; default: none. */
export const RunTerms = z.object({
  network: z.boolean().default(false),
  /** Only these hosts, through a proxy: `example.org`, `*.example.org`, an IPv4 address, each with an optional port. */
  hosts: z.array(z.string()).default([]),
  paths: z.array(z.object({ path: z.string(), mode: z.enum(["ro", "rw"]) })).default([]),
  namespaces: z.array(z.string()).default([]),
  capabilities: z.array(z.string()).default([]),
});
export type RunTerms = z.infer<typeof RunTerms>;

/** The value of a credential for one run: the variable `name`, or the file `/run/secrets/<name>`. Never logged or stored. */
export const LeaseSecret = z.object({
  as: z.enum(["env", "file"]),
  name: z.string(),
  value: z.string(),
  credential: z.string(),
});
export type LeaseSecret = z.infer<typeof LeaseSecret>;

export const Lease = z.object({
  runId: z.string(),
  /** Rises with each attempt. The worker sends it with every report on the run; the server refuses old ones. */
  fence: PositiveInt,
  skillName: z.string(),
  versionDigest: z.string(),
  files: z.array(
    z.object({ path: z.string(), mode: z.enum(["644", "755"]), sha256: z.string(), size: z.number().int() }),
  ),
  entry: z.string(),
  schema: z.record(z.string(), z.unknown()).nullable(),
  /** How to call a script that a decision made the entry; default: no arguments and JSON as input. */
  call: ScriptCall.optional(),
  output: ScriptOutput.optional(),
  args: z.record(z.string(), z.unknown()),
  env: z.array(z.string()),
  limits: RunLimits,
  terms: RunTerms,
  /** Id of the approved pack, when a process may be prewarmed for it; else null. */
  warm: z.string().nullish(),
  secrets: z.array(LeaseSecret).default([]),
  /** The session whose directory the run has at /workspace; null for none. */
  workspace: z
    .string()
    .regex(/^[A-Za-z0-9]{1,64}$/)
    .nullish(),
  /** Data from the server's own tables for a built-in that needs it; its input has it as `$context`. */
  context: z.unknown().optional(),
  /** W3C traceparent of the request that started the run; absent for runs without a request. */
  traceParent: z.string().max(512).optional(),
  /** The worker may start it only after the server has accepted its acknowledgement; only for workers that acknowledge. */
  barrier: z.boolean().optional(),
});
export type Lease = z.infer<typeof Lease>;

export const RunEventItem = z.object({
  /** Counts from 1 within the run; the server stores each number once. */
  seq: PositiveInt,
  at: z.iso.datetime(),
  stream: z.enum(["stderr", "system"]),
  text: z.string().max(MAX_EVENT_TEXT),
});
export type RunEventItem = z.infer<typeof RunEventItem>;

export const RunErrorCode = z.enum([
  "exit_nonzero",
  "signalled",
  "timed_out",
  "output_limit",
  "invalid_output",
  "invalid_args",
  "entry_missing",
  "entry_not_executable",
  "digest_mismatch",
  "spawn_failed",
  "cancelled",
  "worker_lost",
  "worker_stopped",
  "worker_does_not_allow",
]);
export type RunErrorCode = z.infer<typeof RunErrorCode>;

/** How a run ended. `error` is null exactly when the run succeeded. */
export const Outcome = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: RunErrorCode, message: z.string().max(4000) }).nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  truncated: z.boolean(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  durationMs: z.number().nonnegative(),
  /** From the lease until the entry has its input: the time to build the sandbox, or to take a prewarmed one. */
  sandboxMs: z.number().nonnegative().nullish(),
  warm: z.boolean().optional(),
  /** Processor time and memory of the whole run; null where they cannot be measured. */
  cpuMs: z.number().nonnegative().nullish(),
  peakMemoryBytes: z.number().nonnegative().nullish(),
  /** Raw stdout (head and tail) when it was not one JSON value; shown on the run's page. */
  rawOutput: z.string().max(70_000).nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

/** One attempt of a run. */
export const RunKey = z.object({ runId: z.string(), fence: z.number().int() });
export type RunKey = z.infer<typeof RunKey>;

export const ExchangeRequest = z.object({
  /** Free slots: the maximum number of leases to return; 0 for a report only. */
  slots: z.number().int().min(0).max(256),
  waitSeconds: z.number().min(0).max(MAX_WAIT_SECONDS),
  /** Every run that this worker holds; the server extends their leases. */
  holding: z.array(RunKey).max(256),
  events: z.array(RunKey.extend({ items: z.array(RunEventItem).max(MAX_EVENTS_PER_EXCHANGE) })).max(256),
  completions: z.array(RunKey.extend({ outcome: Outcome })).max(256),
  draining: z.boolean().optional(),
  /** `Lease.warm` of the prewarmed packs, sent periodically; an empty list is answered too. */
  warm: z.array(z.string().max(200)).max(256).optional(),
  /** Id of this request, so that a later one can report that its answer never arrived. */
  ask: z.string().max(64).optional(),
  /** Earlier requests whose answers this worker did not get and will not read: it never started their leases. */
  unanswered: z.array(z.string().max(64)).max(100).optional(),
  returned: z.array(RunKey).max(256).optional(),
  /** This worker acknowledges leases. For workers that do not, each lease counts as started when it is handed over. */
  acknowledges: z.boolean().optional(),
  /** Acknowledged leases: those with a barrier, which wait for `accepted`, and others that have started. */
  started: z.array(RunKey).max(256).optional(),
  load: z.number().nonnegative().optional(),
});
export type ExchangeRequest = z.infer<typeof ExchangeRequest>;

export const ExchangeResponse = z.object({
  leases: z.array(Lease),
  /** Runs to end now: cancelled by a person, or no longer this worker's (stale fence). */
  cancel: z.array(RunKey.extend({ reason: z.string() })),
  /** The leases of `started` that are this worker's; from now on they count as started. */
  accepted: z.array(RunKey).optional(),
  /** The prewarmed packs that are still approved, and the memory that prewarmed processes may use; 0 forbids them. */
  warm: z.object({ memoryMiB: z.number().nonnegative(), current: z.array(z.string()) }).optional(),
  rescan: z.literal(true).optional(),
});
export type ExchangeResponse = z.infer<typeof ExchangeResponse>;

export const MAX_INVENTORY_ITEMS = 1_000;
export const MAX_INVENTORY_FILES = 20_000;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const LocalPath = z.string().min(1).max(4_096);

/** A skill's folder on the worker's machine; the files are relative to `path`. */
export const InventoryItem = z.object({
  /** `builtin`: delivered with the worker; `directory`: from a directory that its operator named. */
  kind: z.enum(["builtin", "directory"]),
  root: LocalPath,
  path: LocalPath,
  files: z
    .array(
      z.object({
        path: z.string().min(1).max(240),
        mode: z.enum(["644", "755"]),
        sha256: Sha256,
        size: z.number().int().nonnegative(),
      }),
    )
    .min(1)
    .max(500),
});
export type InventoryItem = z.infer<typeof InventoryItem>;

export const InventoryProblem = z.object({ path: z.string().max(4_096), message: z.string().max(2_000) });
export type InventoryProblem = z.infer<typeof InventoryProblem>;

/** All skills of a worker, in its order, and the folders it could not use. Each inventory replaces the one before. */
export const InventoryRequest = z.object({
  items: z
    .array(InventoryItem)
    .max(MAX_INVENTORY_ITEMS)
    .refine(
      (items) => items.reduce((sum, item) => sum + item.files.length, 0) <= MAX_INVENTORY_FILES,
      `at most ${MAX_INVENTORY_FILES} files altogether`,
    ),
  problems: z.array(InventoryProblem).max(1_000),
});
export type InventoryRequest = z.infer<typeof InventoryRequest>;

/** `need`: files to send (`PUT /api/worker/blobs/{sha256}`) before the inventory is sent again. */
export const InventoryResponse = z.object({
  need: z.array(Sha256),
  skills: z.array(
    z.object({ path: z.string(), name: z.string(), skillId: z.string(), versionDigest: z.string(), state: z.string() }),
  ),
  problems: z.array(InventoryProblem),
});
export type InventoryResponse = z.infer<typeof InventoryResponse>;

/**
 * A dry run of one version in a decoy world. It is not a run: it has no credentials, grants, workspace or result, and its
 * endpoints (`/api/worker/analyses`) accept nothing but its report.
 */
export const AnalysisLease = z.object({
  analysisId: z.string(),
  /** Rises with each lease; the server refuses the report of an older one. */
  fence: PositiveInt,
  versionDigest: z.string(),
  files: Lease.shape.files,
  steps: z.array(AnalysisStep).min(1).max(MAX_STEPS),
  stepSeconds: z.number().int().min(1).max(MAX_STEP_SECONDS),
  /** Names of variables and paths of files that the skill asks for; the worker plants secrets there. */
  wanted: z.object({ env: z.array(z.string()).max(100), paths: z.array(z.string()).max(100) }),
});
export type AnalysisLease = z.infer<typeof AnalysisLease>;

/** The dry runs that the server still wants from this worker; one that was cancelled is not among them. */
export const HeldAnalyses = z.object({
  analyses: z.array(AnalysisLease.pick({ analysisId: true, fence: true })),
});
export type HeldAnalyses = z.infer<typeof HeldAnalyses>;

export const AnalysisLeaseResponse = z.object({ analysis: AnalysisLease.nullable() });

/** What the agent of a step has done so far. The server keeps nothing of it, so any web process can answer. */
export const AgentTurnRequest = z.object({
  fence: PositiveInt,
  step: z.number().int().nonnegative(),
  commands: z.array(AgentCommand).max(MAX_AGENT_COMMANDS),
});
export type AgentTurnRequest = z.infer<typeof AgentTurnRequest>;

/** The model's next commands; none: the agent has ended for this reason. */
export const AgentTurn = z.object({
  said: z.string().max(2_000),
  commands: z.array(z.string().min(1).max(4_000)).max(MAX_AGENT_COMMANDS),
  end: z.string().max(2_000),
});
export type AgentTurn = z.infer<typeof AgentTurn>;

/** How an analysis ended: with its report, or without one and a reason. */
export const AnalysisOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("report"), report: AnalysisReport }),
  z.object({ kind: z.literal("failed"), reason: z.string().max(2_000) }),
]);
export type AnalysisOutcome = z.infer<typeof AnalysisOutcome>;

export const AnalysisResult = z.object({ fence: PositiveInt, outcome: AnalysisOutcome });
export type AnalysisResult = z.infer<typeof AnalysisResult>;
