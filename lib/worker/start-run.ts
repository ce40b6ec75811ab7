import { setTimeout as delay } from "node:timers/promises";
import { parseTraceParent } from "@/lib/core/trace-context";
import { createBackOff, type Server, ServerError } from "./connect-server";
import type { HeldRun } from "./outbox";
import type { Lease, RunKey } from "./protocol";
import { RunFailure, readStopReason, type StopReason } from "./run/run-failure";
import { runLease } from "./run/run-lease";
import { drainReason, type Worker } from "./worker";

const PATIENCE_MS = 60_000;

/**
 * Starts a lease and returns at once; its events and outcome go into the outbox. A lease that the worker already holds is
 * ignored; one that arrives while the worker stops ends as `worker_stopped` without being executed.
 */
export function startRun(worker: Worker, lease: Lease): void {
  const key = keyOf(lease);
  if (worker.outbox.heldRuns().some((held) => keyOf(held) === key)) return;
  endOlderAttempts(worker, lease);
  const stop = new AbortController();
  if (worker.isDraining) stop.abort(drainReason);
  worker.running.set(key, stop);
  worker.slots.take();
  void executeWhenFree(worker, lease, stop).finally(() => {
    worker.running.delete(key);
    worker.slots.free();
    worker.reportWake.notify();
  });
}

function endOlderAttempts({ running }: Worker, { runId, fence }: Lease): void {
  for (let old = 1; old < fence; old += 1) {
    running.get(keyOf({ runId, fence: old }))?.abort({
      code: "cancelled",
      message: "The run was cancelled: the server has restarted it.",
      graceMs: 0,
    } satisfies StopReason);
  }
}

/** Executes it as soon as a slot is free. If that takes too long, it returns the lease to the server. */
async function executeWhenFree(worker: Worker, lease: Lease, stop: AbortController): Promise<void> {
  const held = worker.outbox.track(lease);
  const turn = await worker.slotQueue.acquire(stop.signal);
  if (turn === null && readStopReason(stop.signal)?.code !== "cancelled") return worker.outbox.returnLease(held);
  const startedMs = performance.now();
  try {
    const begun = worker.outbox.requestStart(held, lease.barrier === true, stop.signal);
    if (lease.barrier) worker.reportWake.notify();
    const mayStart = await begun;
    if (!mayStart && readStopReason(stop.signal)?.code !== "cancelled") return worker.outbox.returnLease(held);
    await execute(worker, lease, { held, stop });
  } finally {
    turn?.end(performance.now() - startedMs);
  }
}

type Execution = { held: HeldRun; stop: AbortController };

async function execute(worker: Worker, lease: Lease, { held, stop }: Execution): Promise<void> {
  const { server, log } = worker;
  let seq = 0;
  const traceId = parseTraceParent(lease.traceParent)?.traceId;
  const about = { runId: lease.runId, fence: lease.fence, ...(traceId && { traceId }) };
  log.info({ ...about, skill: lease.skillName }, "run started");
  held.outcome = await runLease(lease, {
    ...worker,
    env: process.env,
    stop,
    fetchBlob: (of, sha256, signal) => fetchBlob(server, of, sha256, signal),
    emit(stream, text) {
      held.events.push({ seq: ++seq, at: new Date().toISOString(), stream, text });
      worker.reportWake.notify();
    },
  });
  const { error, exitCode, durationMs } = held.outcome;
  log.info({ ...about, error: error?.code ?? null, exitCode, durationMs }, "run ended");
}

export function keyOf({ runId, fence }: RunKey): string {
  return `${runId} ${fence}`;
}

/** Fetches a file of a lease, with retries for up to 60 s. Throws RunFailure `spawn_failed`, or the abort error. */
async function fetchBlob(server: Server, lease: Lease, sha256: string, signal: AbortSignal): Promise<Buffer> {
  const deadline = performance.now() + PATIENCE_MS;
  const backOff = createBackOff();
  for (;;) {
    try {
      return await server.fetchBlob(lease, sha256, signal);
    } catch (cause) {
      if (signal.aborted || !(cause instanceof ServerError)) throw cause;
      if (cause.isUnauthorized || cause.isAbsent || performance.now() > deadline) {
        throw new RunFailure("spawn_failed", `A file of the skill could not be fetched: ${cause.message}`, { cause });
      }
      await delay(backOff.nextMs(), undefined, { signal });
    }
  }
}
