import { AppError } from "@/lib/core/errors";
import { awaitOffer, listen, type Waiter, wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction } from "@/lib/db/context";
import type { Run, Worker } from "@/lib/db/generated/client";
import { query, type Sql, sqlOf } from "@/lib/db/sql";
import { requireWorker } from "@/lib/policy/require-scope";
import { findCurrentPacks } from "@/lib/runner/leases/lease-runs";
import { finishRun } from "@/lib/runner/runs/end-run";
import { redactReport } from "@/lib/runner/runs/run-secrets";
import { consumeRescan } from "@/lib/runner/workers/inventory";
import {
  type ExchangeRequest,
  type ExchangeResponse,
  LEASE_SECONDS,
  type Lease,
  type RunKey,
} from "@/lib/worker/protocol";
import { leaseRuns } from "./lease-runs";
import { isAbandoned, rememberLeases, requeueReturned, requeueUnanswered } from "./undelivered-leases";

const RECHECK_MS = 5_000;
const HEARTBEAT_MS = 2_000;

/** One exchange with a worker. With `waitSeconds` it waits for a lease or a cancellation, until the worker disconnects. */
export async function exchange(ctx: Ctx, request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeResponse> {
  const worker = requireWorker(ctx.actor);
  const deadline = performance.now() + request.waitSeconds * 1000;
  const waiter = listen("work", signal);
  try {
    if (request.unanswered) await requeueUnanswered(ctx, worker.workerId, request.unanswered);
    if (request.returned) await requeueReturned(ctx, worker.workerId, request.returned);
    const reported = report(ctx, worker.workerId, await redactReport(ctx, request));
    // Queued behind the report, so that both share a commit.
    let answer = hasReport(request) ? await collect(ctx, worker.workerId, request, reported) : undefined;
    await reported.done;
    const news = {
      ...(reported.accepted.length === 0 ? {} : { accepted: reported.accepted }),
      ...(request.warm === undefined ? {} : { warm: await findCurrentPacks(ctx, request.warm) }),
    };
    for (;;) {
      answer ??= await collect(ctx, worker.workerId, request, reported);
      const left = deadline - performance.now();
      const told = { ...answer, ...news };
      if (request.waitSeconds > 0 && (await consumeRescan(ctx, worker.workerId))) return { ...told, rescan: true };
      if (answer.leases.length > 0 && signal.aborted) return { ...told, leases: await withdraw(ctx, answer.leases) };
      if (answer.leases.length > 0 || answer.cancel.length > 0 || left <= 0 || signal.aborted) return told;
      const take = () => collect(ctx, worker.workerId, request, reported, true);
      const offered = await waitForOffer(waiter, Math.min(left, RECHECK_MS), mayLease(request) ? take : null);
      if (signal.aborted && offered === undefined) return told;
      answer = offered;
    }
  } finally {
    waiter.stop();
  }
}

/** The worker has disconnected, or the server is stopping: requeues leases that were not sent. */
async function withdraw(ctx: Ctx, leases: Lease[]): Promise<[]> {
  await requeueReturned(ctx, requireWorker(ctx.actor).workerId, leases, "unsent");
  return [];
}

async function waitForOffer(
  waiter: Waiter,
  timeoutMs: number,
  take: (() => Promise<ExchangeResponse>) | null,
): Promise<ExchangeResponse | undefined> {
  const taken: Promise<ExchangeResponse | undefined>[] = [];
  // When the offered work was not stored in the end, there is nothing to lease.
  const withdraw = take && awaitOffer(() => taken.push(take().catch(() => undefined)));
  try {
    await waiter.next(timeoutMs);
  } finally {
    withdraw?.();
  }
  return taken[0];
}

function mayLease({ slots, draining }: ExchangeRequest): boolean {
  return slots > 0 && draining !== true;
}

/** A report being stored: whether its writes were made, in a transaction that a later one may share, and its completion. */
type Reported = { isStored: boolean; done: Promise<void>; accepted: RunKey[] };

function hasReport(request: ExchangeRequest): boolean {
  const { events, completions, started = [] } = request;
  return events.length > 0 || completions.length > 0 || started.length > 0;
}

function report(ctx: Ctx, workerId: string, request: ExchangeRequest): Reported {
  const reported: Reported = { isStored: false, done: Promise.resolve(), accepted: [] };
  reported.done = storeReport(ctx, workerId, request, reported);
  // `reported.done` is awaited elsewhere; this only prevents an unhandled rejection.
  reported.done.catch(() => undefined);
  return reported;
}

async function storeReport(ctx: Ctx, workerId: string, request: ExchangeRequest, reported: Reported): Promise<void> {
  if (!hasReport(request) && !(await isHeartbeatDue(ctx, workerId, request))) {
    reported.isStored = true;
    return;
  }
  const changed = new Set<string>();
  await inQuickTransaction(ctx, async (tx, txCtx) => {
    // The lease of the same exchange may have seen what an undone attempt reported.
    Object.assign(reported, { isStored: false, accepted: [] });
    changed.clear();
    const sql = sqlOf(txCtx);
    if (!hasReport(request) || (await isHeartbeatDue(txCtx, workerId, request)))
      await writeHeartbeat(txCtx, workerId, request);
    const ended = new Set(request.completions.map(({ runId }) => runId));
    for (const { runId, fence, items } of request.events) {
      const { isNew, starts } = await storeEvents(sql, workerId, { runId, fence, items });
      if (isNew) changed.add(runId);
      if (starts && !ended.has(runId)) await acceptStart(txCtx, workerId, { runId, fence });
    }
    for (const key of request.started ?? []) {
      if (await acceptStart(txCtx, workerId, key)) reported.accepted.push(key);
    }
    for (const { runId, fence, outcome } of request.completions) {
      const row = await sql.get(HELD, runId, workerId, fence);
      if (row === undefined) continue;
      const { skillName: name, toolName, ...run } = row;
      const told = { ...run, skill: { name, toolName }, worker: requireWorker(txCtx.actor) };
      if (await finishRun(tx, txCtx, told, outcome)) changed.add(runId);
    }
    reported.isStored = true;
  });
  for (const runId of changed) wake(`run:${runId}`);
}

type HeldRow = Pick<
  Run,
  | "id"
  | "callerId"
  | "callerName"
  | "callerRole"
  | "sessionId"
  | "argsDigest"
  | "requestId"
  | "traceParent"
  | "skillId"
  | "versionDigest"
  | "class"
  | "fence"
  | "startedAt"
  | "parentRunId"
> & {
  skillName: string;
  toolName: string;
};
const HELD = query<HeldRow>(
  `SELECT r."id", r."callerId", r."callerName", r."callerRole", r."sessionId", r."argsDigest", r."requestId", r."traceParent",
     r."skillId", r."versionDigest", r."class", r."fence", r."startedAt", r."parentRunId",
     s."name" AS "skillName", s."toolName"
   FROM "Run" r JOIN "Skill" s ON s."id" = r."skillId"
   WHERE r."id" = ? AND r."workerId" = ? AND r."fence" = ?`,
  { startedAt: "date" },
);
const SEEN = query<Pick<Worker, "lastSeenAt">>(`SELECT "lastSeenAt" FROM "Worker" WHERE "id" = ?`, {
  lastSeenAt: "date",
});
const EXPIRING = query<{ id: string }>(
  `SELECT "id" FROM "Run" WHERE "workerId" = ? AND "state" = ? AND "leaseUntil" < ? LIMIT 1`,
);

/** Whether the heartbeat in the database is old enough to be written again. */
async function isHeartbeatDue(ctx: Ctx, workerId: string, request: ExchangeRequest): Promise<boolean> {
  const olderThan = new Date(ctx.now().getTime() - HEARTBEAT_MS);
  const worker = await sqlOf(ctx).get(SEEN, workerId);
  if (!worker?.lastSeenAt || worker.lastSeenAt <= olderThan || worker.lastSeenAt > ctx.now()) return true;
  if (request.holding.length === 0) return false;
  const soonOver = new Date(ctx.now().getTime() + LEASE_SECONDS * 1000 - HEARTBEAT_MS);
  return (await sqlOf(ctx).get(EXPIRING, workerId, "running", soonOver)) !== undefined;
}

const HEARTBEAT = query(`UPDATE "Worker" SET "lastSeenAt" = ?, "load" = COALESCE(?, "load") WHERE "id" = ?`);
const EXTEND = query(
  `UPDATE "Run" SET "leaseUntil" = ? WHERE "id" = ? AND "workerId" = ? AND "fence" = ? AND "state" = 'running'`,
);

async function writeHeartbeat(ctx: Ctx, workerId: string, { holding, load }: ExchangeRequest): Promise<void> {
  const [sql, now] = [sqlOf(ctx), ctx.now()];
  await sql.run(HEARTBEAT, now, load ?? null, workerId);
  const leaseUntil = new Date(now.getTime() + LEASE_SECONDS * 1000);
  for (const { runId, fence } of holding) {
    await sql.run(EXTEND, leaseUntil, runId, workerId, fence);
  }
}

const ACCEPT = query(
  `UPDATE "Run" SET "unacknowledged" = ? WHERE "id" = ? AND "workerId" = ? AND "fence" = ? AND "state" = ? AND "cancelReason" IS NULL`,
);

async function acceptStart(ctx: Ctx, workerId: string, { runId, fence }: RunKey): Promise<boolean> {
  return (await sqlOf(ctx).run(ACCEPT, false, runId, workerId, fence, "running")) > 0;
}

const RUNNING = query<{ unacknowledged: boolean; last: number | null }>(
  `SELECT r."unacknowledged", (SELECT MAX(e."seq") FROM "RunEvent" e WHERE e."runId" = r."id") AS "last"
   FROM "Run" r WHERE r."id" = ? AND r."workerId" = ? AND r."fence" = ? AND r."state" = ?`,
  { unacknowledged: "flag" },
);

const ADD_LINE = query(`INSERT INTO "RunEvent" ("runId", "seq", "at", "stream", "text") VALUES (?, ?, ?, ?, ?)`);

/** `isNew`: some events were not stored yet. `starts`: they are the first events of a run that counted as not started. */
async function storeEvents(
  sql: Sql,
  workerId: string,
  { runId, fence, items }: ExchangeRequest["events"][number],
): Promise<{ isNew: boolean; starts: boolean }> {
  const run = await sql.get(RUNNING, runId, workerId, fence, "running");
  if (run === undefined) return { isNew: false, starts: false };
  const fresh = items.filter((item) => item.seq > (run.last ?? 0));
  for (const { seq, at, stream, text } of fresh) {
    await sql.run(ADD_LINE, runId, seq, new Date(at), stream, text);
  }
  return { isNew: fresh.length > 0, starts: run.unacknowledged };
}

const QUEUED = query<{ id: string }>(`SELECT "id" FROM "Run" WHERE "state" = ? LIMIT 1`);
const LEASING = query<Pick<Worker, "id" | "name" | "manager" | "isolation">>(
  `SELECT "id", "name", "manager", "isolation" FROM "Worker" WHERE "id" = ?`,
  { manager: "flag" },
);

async function collect(
  ctx: Ctx,
  workerId: string,
  request: ExchangeRequest,
  reported: Reported,
  isOffered = false,
): Promise<ExchangeResponse> {
  const mayHaveWork = mayLease(request) && (isOffered || (await sqlOf(ctx).get(QUEUED, "queued")) !== undefined);
  const leases = mayHaveWork ? await lease(ctx, workerId, request, reported) : [];
  for (const lease of leases) wake(`run:${lease.runId}`, "begun");
  return { leases, cancel: await findCancellations(ctx, workerId, request) };
}

function lease(
  ctx: Ctx,
  workerId: string,
  { slots, ask, acknowledges = false }: ExchangeRequest,
  reported: Reported,
): Promise<Lease[]> {
  return inQuickTransaction(ctx, async (tx, txCtx) => {
    // A report that could not be stored gets an error answer, which carries no leases.
    if (!reported.isStored || isAbandoned(workerId, ask)) return [];
    const worker = await sqlOf(txCtx).get(LEASING, workerId);
    if (worker === undefined) throw new AppError("unauthenticated", "This worker is no longer known.");
    const leases = await leaseRuns(tx, txCtx, worker, { slots, acknowledges });
    rememberLeases(workerId, ask, leases);
    return leases;
  });
}

const STANDING = query<Pick<Run, "id" | "workerId" | "fence" | "state" | "cancelReason">>(
  `SELECT "id", "workerId", "fence", "state", "cancelReason" FROM "Run" WHERE "id" = ?`,
);

async function findCancellations(
  ctx: Ctx,
  workerId: string,
  request: ExchangeRequest,
): Promise<ExchangeResponse["cancel"]> {
  const completed = new Set(request.completions.map((completion) => completion.runId));
  const cancel: ExchangeResponse["cancel"] = [];
  for (const { runId, fence } of request.holding) {
    if (completed.has(runId)) continue;
    const run = await sqlOf(ctx).get(STANDING, runId);
    const isOurs = run?.workerId === workerId && run.fence === fence && run.state === "running";
    if (!isOurs) cancel.push({ runId, fence, reason: "This run no longer belongs to this worker." });
    else if (run.cancelReason !== null) cancel.push({ runId, fence, reason: run.cancelReason });
  }
  return cancel;
}
