import { recordRefusal } from "@/lib/audit/record-refusal";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { ALLOWS_NOTHING } from "@/lib/policy/worker-allowance";
import { exchange } from "@/lib/runner/leases/exchange";
import { cancelRun } from "@/lib/runner/runs/cancel-runs";
import { startRun } from "@/lib/runner/runs/start-run";
import { registerWorker } from "@/lib/runner/workers/workers";
import type { ExchangeRequest, Lease, Outcome, RegisterRequest, RunErrorCode } from "@/lib/worker/protocol";
import { later, type PersonKey, skillId, type World } from "./world";

export type RunEnd =
  | { kind: "succeeds"; result: unknown }
  | { kind: "fails"; code: RunErrorCode; message: string; exitCode?: number; signal?: string; rawOutput?: string }
  | { kind: "is cancelled" }
  /** The worker restarts during the run and leases it again. */
  | { kind: "is lost"; again: Execution }
  | { kind: "is refused" }
  /** It needs the signature of another person. */
  | { kind: "waits" };

/** How a run goes on the worker. */
type Execution = { log: string[]; durationMs: number; end: RunEnd };

export type SimulatedRun = Execution & {
  skill: string;
  by: PersonKey | "agent";
  at: Date;
  args: Record<string, unknown>;
  confirm?: true;
};

const SILENT: ExchangeRequest = { slots: 0, waitSeconds: 0, holding: [], events: [], completions: [] };
const WAIT_MS = 35;

/** Simulates one run from start to end by calling the verbs that the caller and the worker call. */
export async function simulateRun(world: World, run: SimulatedRun): Promise<void> {
  const caller = callerOf(world, run);
  const input = { args: run.args, wait: 0, ...(run.confirm ? { confirm: run.confirm } : {}) };
  if (run.end.kind === "is refused")
    return simulateRefusal(caller, () => startRun(caller, skillId(world, run.skill), input), skillId(world, run.skill));
  // Agents are offered a skill only while a worker that meets its requirements is online.
  if (run.end.kind === "waits") await report(workerOf(world, run.at), {});
  const started = await startRun(caller, skillId(world, run.skill), input);
  if ("dryRun" in started) throw new Error("a dry run starts nothing");
  if (run.end.kind === "waits") return;
  await simulateLease(world, run, { caller, runId: started.run.id, queuedAt: run.at });
}

type Queued = { caller: Ctx; runId: string | null; queuedAt: Date };

/** The worker leases the queued run; `runId` is null for a run that the server queued again. */
async function simulateLease(world: World, run: SimulatedRun, { caller, runId, queuedAt }: Queued): Promise<void> {
  const leasedAt = later(queuedAt, WAIT_MS);
  const endedAt = later(leasedAt, run.durationMs);
  const worker = workerOf(world, leasedAt);
  const lease = (await report(worker, { slots: 1 })).leases[0];
  // The lease of another run would be lost.
  if (!lease || lease.runId !== (runId ?? lease.runId))
    throw new Error(`the seeded worker did not get the run of ${run.skill}`);
  await report(worker, { events: [{ runId: lease.runId, fence: lease.fence, items: eventsOf(run, leasedAt) }] });
  if (run.end.kind === "is lost") {
    await registerWorker(workerOf(world, endedAt), { ...SEED_WORKER, pid: 2893 });
    return simulateLease(world, { ...run, ...run.end.again }, { caller, runId: null, queuedAt: endedAt });
  }
  if (run.end.kind === "is cancelled") await cancelRun({ ...caller, now: () => later(endedAt, -300) }, lease.runId);
  await report(workerOf(world, endedAt), {
    completions: [complete(lease, run, { leasedAt, endedAt, name: caller.actor })],
  });
}

function callerOf(world: World, run: SimulatedRun): Ctx {
  if (run.by !== "agent") return world.person(run.by, run.at);
  if (!world.agent) throw new Error("the agent is not connected yet");
  return world.as(world.agent, run.at);
}

function workerOf(world: World, at: Date): Ctx {
  if (!world.worker) throw new Error("there is no worker yet");
  return world.as({ kind: "worker", workerId: world.worker.id, name: world.worker.name, manager: true }, at);
}

function report(worker: Ctx, request: Partial<ExchangeRequest>) {
  return exchange(worker, { ...SILENT, ...request }, new AbortController().signal);
}

/** Records the refusal, as the route wrapper does for requests. */
async function simulateRefusal(caller: Ctx, start: () => Promise<unknown>, id: string): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return recordRefusal(caller, { method: "POST", path: `/api/skills/${id}/runs`, error });
  }
  throw new Error("the run was not refused");
}

function eventsOf(run: SimulatedRun, from: Date): ExchangeRequest["events"][number]["items"] {
  const pause = run.durationMs / (run.log.length + 1);
  return run.log.map((text, index) => ({
    seq: index + 1,
    at: later(from, Math.round(pause * (index + 1))).toISOString(),
    stream: "stderr" as const,
    text,
  }));
}

type Times = { leasedAt: Date; endedAt: Date; name: Ctx["actor"] };

function complete(
  lease: Lease,
  { end, durationMs }: SimulatedRun,
  { leasedAt, endedAt, name }: Times,
): ExchangeRequest["completions"][number] {
  const outcome: Outcome = {
    result: end.kind === "succeeds" ? end.result : null,
    error: null,
    exitCode: end.kind === "succeeds" ? 0 : null,
    signal: null,
    timedOut: false,
    truncated: false,
    startedAt: leasedAt.toISOString(),
    finishedAt: endedAt.toISOString(),
    durationMs,
    rawOutput: null,
  };
  if (end.kind === "fails") {
    outcome.error = { code: end.code, message: end.message };
    outcome.exitCode = end.exitCode ?? null;
    outcome.signal = end.signal ?? null;
    outcome.timedOut = end.code === "timed_out";
    outcome.rawOutput = end.rawOutput ?? null;
  }
  if (end.kind === "is cancelled") {
    const who = "name" in name ? name.name : "a person";
    outcome.error = { code: "cancelled", message: `The run was cancelled: Cancelled by ${who}.` };
    outcome.signal = "SIGTERM";
  }
  return { runId: lease.runId, fence: lease.fence, outcome };
}

/** How the seeded worker registers. */
export const SEED_WORKER: RegisterRequest = {
  name: "workshop",
  version: "0.1.0",
  platform: "linux x64",
  pid: 2417,
  slots: 2,
  bins: ["bash", "git", "python3"],
  isolation: "sandbox",
  isolationFacts: [
    "bubblewrap 0.8.0: separate namespaces, no network, a read-only skill, a private file system.",
    "Each run has a user id of its own (60000 to 60063).",
    "A system call filter.",
    "Limits for memory, CPU time, files and disk of each process, and for the number of processes.",
  ],
  allows: {
    ...ALLOWS_NOTHING,
    env: [...ALLOWS_NOTHING.env, "BACKUP_ROOT", "TICKETS_FILE"],
    proxy: true,
  },
};
