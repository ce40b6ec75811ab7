import type { Actor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { type ExchangeRequest, type ExchangeResponse, LEASE_SECONDS } from "@/lib/worker/protocol";
import { finishRun } from "./finish-run";
import { leaseRuns } from "./lease-runs";
import { listen, wake } from "./wake-bus";

const RECHECK_MS = 5_000;
const SIGN_OF_LIFE_MS = 2_000;

/**
 * One exchange with a worker: stores what it reports, extends its leases, and hands out work and cancellations. With
 * `waitSeconds` it is held until there is something to hand out, the time is over, or the worker hangs up.
 */
export async function exchange(ctx: Ctx, request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeResponse> {
  const worker = requireWorker(ctx.actor);
  const deadline = performance.now() + request.waitSeconds * 1000;
  const waiter = listen("work", signal);
  try {
    await report(ctx, worker.workerId, request);
    for (;;) {
      const answer = await collect(ctx, worker.workerId, request);
      const left = deadline - performance.now();
      if (answer.leases.length > 0 || answer.cancel.length > 0 || left <= 0 || signal.aborted) return answer;
      await waiter.next(Math.min(left, RECHECK_MS));
    }
  } finally {
    waiter.stop();
  }
}

export function requireWorker(actor: Actor): Extract<Actor, { kind: "worker" }> {
  if (actor.kind !== "worker") throw new AppError("forbidden", "Only workers may call this.");
  return actor;
}

async function report(ctx: Ctx, workerId: string, request: ExchangeRequest): Promise<void> {
  const hasNews = request.events.length > 0 || request.completions.length > 0;
  if (!hasNews && !(await needsSign(ctx, workerId, request))) return;
  const changed = new Set<string>();
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.worker.update({ where: { id: workerId }, data: { lastSeenAt: ctx.now() } });
    const leaseUntil = new Date(ctx.now().getTime() + LEASE_SECONDS * 1000);
    for (const { runId, fence } of request.holding) {
      await tx.run.updateMany({ where: { id: runId, workerId, fence, state: "running" }, data: { leaseUntil } });
    }
    for (const { runId, fence, items } of request.events) {
      if (await storeEvents(tx, workerId, runId, fence, items)) changed.add(runId);
    }
    for (const { runId, fence, outcome } of request.completions) {
      const run = await tx.run.findFirst({ where: { id: runId, workerId, fence }, include: { skill: true } });
      if (run && (await finishRun(tx, txCtx, run, outcome))) changed.add(runId);
    }
  });
  for (const runId of changed) wake(`run:${runId}`);
}

/** A sign of life is written only once it is old enough to matter: every write waits for the disk. */
async function needsSign(ctx: Ctx, workerId: string, request: ExchangeRequest): Promise<boolean> {
  const olderThan = new Date(ctx.now().getTime() - SIGN_OF_LIFE_MS);
  const worker = await ctx.db.worker.findUnique({ where: { id: workerId }, select: { lastSeenAt: true } });
  if (!worker?.lastSeenAt || worker.lastSeenAt <= olderThan) return true;
  if (request.holding.length === 0) return false;
  const soonOver = new Date(ctx.now().getTime() + LEASE_SECONDS * 1000 - SIGN_OF_LIFE_MS);
  const due = { workerId, state: "running", leaseUntil: { lt: soonOver } };
  return (await ctx.db.run.count({ where: due })) > 0;
}

type Items = ExchangeRequest["events"][number]["items"];

async function storeEvents(tx: Tx, workerId: string, runId: string, fence: number, items: Items): Promise<boolean> {
  const run = await tx.run.findFirst({ where: { id: runId, workerId, fence, state: "running" }, select: { id: true } });
  if (!run || items.length === 0) return false;
  const last = await tx.runEvent.findFirst({ where: { runId }, orderBy: { seq: "desc" }, select: { seq: true } });
  const fresh = items.filter((item) => item.seq > (last?.seq ?? 0));
  await tx.runEvent.createMany({
    data: fresh.map(({ seq, at, stream, text }) => ({ runId, seq, at: new Date(at), stream, text })),
  });
  return fresh.length > 0;
}

async function collect(ctx: Ctx, workerId: string, request: ExchangeRequest): Promise<ExchangeResponse> {
  const cancel = await toCancel(ctx, workerId, request);
  const mayHaveWork =
    request.slots > 0 && !request.draining && (await ctx.db.run.count({ where: { state: "queued" } })) > 0;
  if (!mayHaveWork) return { leases: [], cancel };
  const leases = await inTransaction(ctx, async (tx, txCtx) => {
    const worker = await tx.worker.findUniqueOrThrow({ where: { id: workerId } });
    return leaseRuns(tx, txCtx, worker, request.slots);
  });
  for (const lease of leases) wake(`run:${lease.runId}`);
  return { leases, cancel };
}

async function toCancel(ctx: Ctx, workerId: string, request: ExchangeRequest): Promise<ExchangeResponse["cancel"]> {
  const completed = new Set(request.completions.map((completion) => completion.runId));
  const held = request.holding.filter(({ runId }) => !completed.has(runId));
  if (held.length === 0) return [];
  const rows = await ctx.db.run.findMany({ where: { id: { in: held.map(({ runId }) => runId) } } });
  return held.flatMap(({ runId, fence }) => {
    const run = rows.find((row) => row.id === runId);
    const isOurs = run?.workerId === workerId && run.fence === fence && run.state === "running";
    if (!isOurs) return [{ runId, fence, reason: "This run is no longer this worker’s." }];
    return run.cancelReason === null ? [] : [{ runId, fence, reason: run.cancelReason }];
  });
}
