import { z } from "zod";
import { Isolation } from "@/lib/policy/isolation";
import { WorkerAllowance } from "@/lib/policy/worker-allowance";
import { ScriptCall, ScriptOutput } from "@/lib/skill-format/entry/script-entry";

/**
 * What a worker and the server say to each other, over HTTP with a `Bearer sgw_…` token. One exchange carries everything:
 * the worker reports events, completions and the runs it still holds, and asks for as many leases as it has free slots;
 * the server answers with leases and with the runs to cancel. An exchange with `waitSeconds` > 0 is held open until there
 * is a lease or a cancellation to hand out.
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
  /** How runs are separated from the host. */
  isolation: Isolation,
  /** What the sandbox consists of, or why there is none; one sentence each, for people. */
  isolationFacts: z.array(z.string().max(300)).max(20).optional(),
  /** Capability ids that it declares for skills, such as `shell.exec`; left out, none. */
  capabilities: z.array(z.string().max(64)).max(50).optional(),
  /** Programs on its PATH, and names of its environment variables that a decision could grant. */
  bins: z.array(z.string().max(100)).max(10_000).optional(),
  env: z.array(z.string().max(200)).max(1_000).optional(),
  /** What its operator allows runs beyond the plain sandbox; left out, nothing. */
  allows: WorkerAllowance.optional(),
});
export type RegisterRequest = z.infer<typeof RegisterRequest>;

export const RegisterResponse = z.object({ workerId: z.string(), name: z.string() });
export type RegisterResponse = z.infer<typeof RegisterResponse>;

export const RunLimits = z.object({
  timeoutMs: z.number().int().positive(),
  stdoutBytes: z.number().int().positive(),
  stderrBytes: z.number().int().positive(),
  /** The rest holds inside a sandbox. Of each process, as far as it can write to it. */
  memoryBytes: z
    .number()
    .int()
    .positive()
    .default(1024 ** 3),
  /** Processes and threads. */
  processes: z.number().int().positive().default(256),
  /** Of each file the run writes. */
  fileBytes: z
    .number()
    .int()
    .positive()
    .default(256 * 1024 ** 2),
  openFiles: z.number().int().positive().default(1024),
  /** Of the run's own file system. */
  diskBytes: z
    .number()
    .int()
    .positive()
    .default(256 * 1024 ** 2),
});
export type RunLimits = z.infer<typeof RunLimits>;

/** What the decision lets a run reach beyond its own files; nothing unless it says so. */
export const RunTerms = z.object({
  /** The whole network. */
  network: z.boolean().default(false),
  /** These hosts only, through a proxy: `example.org`, `*.example.org`, an IPv4 address, each with an optional port. */
  hosts: z.array(z.string()).default([]),
  paths: z.array(z.object({ path: z.string(), mode: z.enum(["ro", "rw"]) })).default([]),
  /** Host namespaces the run shares. */
  namespaces: z.array(z.string()).default([]),
  /** Linux capabilities, e.g. CAP_NET_RAW. */
  capabilities: z.array(z.string()).default([]),
});
export type RunTerms = z.infer<typeof RunTerms>;

/** A credential's value for one run: the variable `name`, or the file `/run/secrets/<name>`. Never logged or stored. */
export const LeaseSecret = z.object({
  as: z.enum(["env", "file"]),
  name: z.string(),
  value: z.string(),
  /** The credential's name, which stands where its value would. */
  credential: z.string(),
});
export type LeaseSecret = z.infer<typeof LeaseSecret>;

export const Lease = z.object({
  runId: z.string(),
  /** Rises with each attempt; everything the worker says of the run carries it, and an old one is refused. */
  fence: z.number().int().positive(),
  skillName: z.string(),
  versionDigest: z.string(),
  files: z.array(
    z.object({ path: z.string(), mode: z.enum(["644", "755"]), sha256: z.string(), size: z.number().int() }),
  ),
  entry: z.string(),
  schema: z.record(z.string(), z.unknown()).nullable(),
  /** How the entry is called when a decision made a script the entry; left out, without arguments and with JSON as input. */
  call: ScriptCall.optional(),
  /** What it prints; left out, one JSON value. */
  output: ScriptOutput.optional(),
  args: z.record(z.string(), z.unknown()),
  /** Names of environment variables the decision grants; the worker passes those it has and nothing else. */
  env: z.array(z.string()),
  limits: RunLimits,
  terms: RunTerms,
  /** Names what the decision stands for, when the next process of this pack may wait for its run; null when it may not. */
  warm: z.string().nullish(),
  secrets: z.array(LeaseSecret).default([]),
  /** The session whose directory the run has at /workspace; null for none. */
  workspace: z
    .string()
    .regex(/^[A-Za-z0-9]{1,64}$/)
    .nullish(),
  /** What the server adds from its own tables, for a built-in that asks for it; its input has it as `$context`. */
  context: z.unknown().optional(),
  /** W3C traceparent of the request that asked for the run; left out for runs that no request asked for. */
  traceParent: z.string().max(512).optional(),
  /** The worker may start it only after the server has accepted its acknowledgement; only for workers that acknowledge. */
  barrier: z.boolean().optional(),
});
export type Lease = z.infer<typeof Lease>;

export const RunEventItem = z.object({
  /** Counts from 1 within the run; the server stores each number once. */
  seq: z.number().int().positive(),
  at: z.iso.datetime(),
  stream: z.enum(["stderr", "system"]),
  text: z.string().max(MAX_EVENT_TEXT),
});
export type RunEventItem = z.infer<typeof RunEventItem>;

export const RUN_ERROR_CODES = [
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
] as const;
export const RunErrorCode = z.enum(RUN_ERROR_CODES);
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
  /** From the lease to the entry having its input: building the sandbox, or taking one that waited. */
  sandboxMs: z.number().nonnegative().nullish(),
  /** The process was waiting with its sandbox built. */
  warm: z.boolean().optional(),
  /** Of the whole run; null where they cannot be measured. */
  cpuMs: z.number().nonnegative().nullish(),
  peakMemoryBytes: z.number().nonnegative().nullish(),
  /** Raw stdout (head and tail) when it was not one JSON value; shown to the person who looks at the run. */
  rawOutput: z.string().max(70_000).nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

export const ExchangeRequest = z.object({
  /** Free slots: at most so many leases come back; 0 for a pure report. */
  slots: z.number().int().min(0).max(256),
  waitSeconds: z.number().min(0).max(MAX_WAIT_SECONDS),
  /** Every run this worker holds; extends their leases. */
  holding: z.array(z.object({ runId: z.string(), fence: z.number().int() })).max(256),
  events: z
    .array(
      z.object({
        runId: z.string(),
        fence: z.number().int(),
        items: z.array(RunEventItem).max(MAX_EVENTS_PER_EXCHANGE),
      }),
    )
    .max(256),
  completions: z.array(z.object({ runId: z.string(), fence: z.number().int(), outcome: Outcome })).max(256),
  /** The worker is stopping and takes nothing more. */
  draining: z.boolean().optional(),
  /** `Lease.warm` of the packs that have processes waiting, now and then; also an empty list is answered. */
  warm: z.array(z.string().max(200)).max(256).optional(),
  /** Names this request, so that a later one can say that its answer never came. */
  ask: z.string().max(64).optional(),
  /** Earlier requests whose answers this worker did not get and will not read: their leases were never started. */
  unanswered: z.array(z.string().max(64)).max(100).optional(),
  /** Leases that this worker gives back: it has started nothing for them, and will not. */
  returned: z
    .array(z.object({ runId: z.string(), fence: z.number().int() }))
    .max(256)
    .optional(),
  /** This worker acknowledges leases. From one that does not, each counts as started when it is handed over. */
  acknowledges: z.boolean().optional(),
  /** Acknowledged leases: those with a barrier, which wait for `accepted`, and others that have started. */
  started: z
    .array(z.object({ runId: z.string(), fence: z.number().int() }))
    .max(256)
    .optional(),
  /** Load average of its machine over one minute. */
  load: z.number().nonnegative().optional(),
});
export type ExchangeRequest = z.infer<typeof ExchangeRequest>;

export const ExchangeResponse = z.object({
  leases: z.array(Lease),
  /** Runs to end now: cancelled by a person, or no longer this worker's (stale fence). */
  cancel: z.array(z.object({ runId: z.string(), fence: z.number().int(), reason: z.string() })),
  /** Those of `started` that are this worker's; from now on they count as started. */
  accepted: z.array(z.object({ runId: z.string(), fence: z.number().int() })).optional(),
  /** Which of the packs asked about still stand, and the memory that waiting processes may hold; 0 forbids them. */
  warm: z.object({ memoryMiB: z.number().nonnegative(), current: z.array(z.string()) }).optional(),
  /** An admin wants its directories of skills read again. */
  rescan: z.literal(true).optional(),
});
export type ExchangeResponse = z.infer<typeof ExchangeResponse>;

export const MAX_INVENTORY_ITEMS = 1_000;
export const MAX_INVENTORY_FILES = 20_000;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const LocalPath = z.string().min(1).max(4_096);

/** A skill's folder on the worker's machine; the files are relative to `path`. */
export const InventoryItem = z.object({
  /** `builtin`: came with the worker; `directory`: lies in a directory that its operator named. */
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

/** Every skill that a worker has, in its order, and what it could not use. Each inventory replaces the one before. */
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

/** `need`: files to send (`PUT /api/worker/blobs/{sha256}`) before the inventory is said again. */
export const InventoryResponse = z.object({
  need: z.array(Sha256),
  skills: z.array(
    z.object({ path: z.string(), name: z.string(), skillId: z.string(), versionDigest: z.string(), state: z.string() }),
  ),
  problems: z.array(InventoryProblem),
});
export type InventoryResponse = z.infer<typeof InventoryResponse>;
