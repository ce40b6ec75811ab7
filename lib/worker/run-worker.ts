import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { createBackOff, ServerError } from "./connect-server";
import type { Report } from "./outbox";
import { type ExchangeRequest, type ExchangeResponse, HEARTBEAT_SECONDS, MAX_WAIT_SECONDS } from "./protocol";
import type { StopReason } from "./run/run-failure";
import { keyOf, startRun } from "./start-run";
import type { Worker } from "./worker";

const CANCEL_GRACE_MS = 2000;

const MAX_UNANSWERED = 100;

const EVENTS_MS = 50;

const BATCH_MS = 10;

const OUTCOMES_PER_BATCH = 3;

/** How often a worker with executing runs asks the server, which may have cancelled one. */
const RUNNING_MS = 500;

const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000;

const RECHECK_MS = 60_000;

/** Leases, executes and reports runs until the worker is drained. Throws ServerError when the server refuses the token. */
export async function runWorker(worker: Worker): Promise<void> {
  const polling = new AbortController();
  const polled = pollLeases(worker, polling.signal);
  const reported = reportRuns(worker);
  try {
    // The open poll is not aborted before the final report: a lease that it returns must still be answered.
    await Promise.race([reported, polled.then(() => reported)]);
  } finally {
    polling.abort();
  }
  await polled;
}

/** Asks for leases in exchanges of up to 20 s. Returns when the worker drains; throws when the token is refused. */
async function pollLeases(worker: Worker, signal: AbortSignal): Promise<void> {
  const backOff = createBackOff();
  while (!worker.isDraining && !signal.aborted) {
    // The exchange that reports outcomes also asks for leases for their slots.
    const reserved = worker.outbox.pendingOutcomes() > 0 ? 0 : worker.slots.reserve();
    if (reserved === 0) {
      await worker.slotWake.wait(RECHECK_MS);
      continue;
    }
    try {
      await pollOnce(worker, reserved, signal);
      backOff.reset();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
      worker.log.warn({ cause: error.message }, "no leases, trying again");
      await delay(backOff.nextMs(), undefined, { signal }).catch(() => {
        // Aborted: the loop ends.
      });
    } finally {
      worker.slots.release(reserved);
    }
  }
}

async function pollOnce(worker: Worker, slots: number, signal: AbortSignal): Promise<void> {
  // Runs that are already ending are left out: their cancellation would end every poll at once.
  const holding = worker.outbox.heldRuns().filter((held) => worker.running.get(keyOf(held))?.signal.aborted === false);
  const request = { slots, waitSeconds: MAX_WAIT_SECONDS, holding, events: [], completions: [] };
  const answer = await sendExchange(worker, request, signal);
  applyResponse(worker, answer);
}

/**
 * Reports to the server: an outcome at once, or within 10 ms together with the next two; events at most every 50 ms;
 * otherwise a heartbeat every 0.5 s while a run executes and every 3 s when idle. Unacknowledged reports are sent again.
 * Returns when the worker is drained and everything is reported; throws when the token is refused.
 */
async function reportRuns(worker: Worker): Promise<void> {
  const backOff = createBackOff();
  let lastMs = Number.NEGATIVE_INFINITY;
  let isFinalReportSent = false;
  while (!isFinalReportSent) {
    await waitForReportDue(worker, lastMs);
    lastMs = performance.now();
    const isLast = isDrained(worker);
    try {
      await turn();
      await waitForMoreOutcomes(worker);
      await sendReport(worker, worker.outbox.nextReport());
      backOff.reset();
      isFinalReportSent = isLast;
    } catch (error) {
      if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
      worker.log.warn({ cause: error.message }, "report not delivered, trying again");
      await waitBeforeRetry(worker, backOff.nextMs());
    }
  }
}

async function waitForReportDue(worker: Worker, lastMs: number): Promise<void> {
  for (;;) {
    if (
      worker.outbox.pendingOutcomes() > 0 ||
      worker.outbox.pendingBarriers() > 0 ||
      (worker.isDraining && worker.running.size === 0)
    )
      return;
    const leftMs = lastMs + maxReportIntervalMs(worker) - performance.now();
    if (leftMs <= 0) return;
    await worker.reportWake.wait(leftMs);
  }
}

/** Waits to report several ends together, unless a slot would be idle meanwhile. */
async function waitForMoreOutcomes({ outbox, slotQueue, reportWake }: Worker): Promise<void> {
  const untilMs = performance.now() + BATCH_MS;
  for (;;) {
    const leftMs = untilMs - performance.now();
    const ends = outbox.pendingOutcomes();
    if (
      ends === 0 ||
      ends >= OUTCOMES_PER_BATCH ||
      outbox.pendingBarriers() > 0 ||
      leftMs <= 0 ||
      !slotQueue.expectsEndWithin(BATCH_MS)
    )
      return;
    await reportWake.wait(leftMs);
  }
}

function maxReportIntervalMs({ outbox, running }: Worker): number {
  if (outbox.hasEvents()) return EVENTS_MS;
  return running.size > 0 ? RUNNING_MS : HEARTBEAT_MS;
}

async function sendReport(worker: Worker, report: Report): Promise<void> {
  const { outbox, slots, warm } = worker;
  const asked = warm?.packsToCheck() ?? null;
  // Asking for leases in the same exchange saves one exchange between two runs.
  const reserved = report.completions.length > 0 && !worker.isDraining ? slots.reserve() : 0;
  try {
    const answer = await sendExchange(worker, {
      slots: reserved,
      waitSeconds: 0,
      holding: outbox.heldRuns(),
      load: loadavg()[0] ?? 0,
      ...report,
      ...(asked ? { warm: asked } : {}),
      ...(worker.isDraining ? { draining: true } : {}),
    });
    if (asked && answer.warm) warm?.applyServerState(answer.warm, asked);
    outbox.acknowledge(report);
    applyResponse(worker, answer);
  } catch (error) {
    // Without an answer, the approval of prewarmed packs is unknown.
    if (!(error instanceof ServerError && error.isRefusedContent)) warm?.dropAll();
    if (error instanceof ServerError && error.isRefusedContent) {
      const dropped = outbox.refuse(report, error.message);
      if (dropped) worker.log.error({ cause: error.message }, `the server refuses ${dropped}, which is dropped`);
    }
    throw error;
  } finally {
    slots.release(reserved);
  }
}

function isDrained({ isDraining, running, outbox }: Worker): boolean {
  return isDraining && running.size === 0 && outbox.isEmpty();
}

async function waitBeforeRetry(worker: Worker, ms: number): Promise<void> {
  const untilMs = performance.now() + ms;
  for (let leftMs = ms; leftMs > 0; leftMs = untilMs - performance.now()) {
    await worker.reportWake.wait(worker.isDraining ? Math.min(leftMs, 100) : leftMs);
    if (worker.isDraining) return;
  }
}

/** One exchange. If its answer never arrives, the next one says so, and the server can requeue its leases. Throws ServerError. */
async function sendExchange(
  { server, unanswered }: Pick<Worker, "server" | "unanswered">,
  request: ExchangeRequest,
  signal?: AbortSignal,
): Promise<ExchangeResponse> {
  const ask = randomUUID();
  const told = [...unanswered].slice(0, MAX_UNANSWERED);
  try {
    const answer = await server.exchange(
      { ...request, ask, acknowledges: true, ...(told.length > 0 ? { unanswered: told } : {}) },
      signal,
    );
    for (const one of told) unanswered.delete(one);
    return answer;
  } catch (error) {
    // Only a request that asked for leases can have got any.
    if (request.slots > 0) unanswered.add(ask);
    throw error;
  }
}

/** Applies an answer of the server: starts its leases and ends the cancelled runs. Unknown runs are ignored. */
export function applyResponse(worker: Worker, answer: ExchangeResponse): void {
  if (answer.accepted) worker.outbox.acceptStarts(answer.accepted);
  for (const lease of answer.leases) startRun(worker, lease);
  for (const cancel of answer.cancel) {
    const reason: StopReason = {
      code: "cancelled",
      message: cancel.reason.slice(0, 1000),
      graceMs: CANCEL_GRACE_MS,
    };
    worker.running.get(keyOf(cancel))?.abort(reason);
  }
  if (answer.rescan) {
    worker.rescan.isAsked = true;
    worker.rescan.wake.notify();
  }
}
