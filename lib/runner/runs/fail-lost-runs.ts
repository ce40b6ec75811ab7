import { recordRunEvent } from "@/lib/audit/record-run-event";
import { newId } from "@/lib/core/ids";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { mayRepeat } from "@/lib/runner/leases/lease-runs";
import { finishRun } from "./end-run";

/** Ends runs whose worker did not renew the lease; returns their number. */
export async function failLostRuns(ctx: Ctx): Promise<number> {
  const where = { state: "running", leaseUntil: { lt: ctx.now() } };
  if ((await ctx.db.run.count({ where })) === 0) return 0;
  const lost = await inTransaction(ctx, async (tx, txCtx) => {
    const runs = await tx.run.findMany({ where, include: { skill: true, worker: true } });
    for (const run of runs) {
      await settleLostRun(
        tx,
        txCtx,
        run,
        `Worker “${run.worker?.name ?? "unknown"}” was lost while this run was under way.`,
      );
    }
    return runs.map((run) => run.id);
  });
  for (const runId of lost) wake(`run:${runId}`);
  wake("work");
  return lost.length;
}

/** Maximum number of leases without an acknowledgement: a run that crashes its workers must not be retried for ever. */
const MAX_FENCE = 10;

/** Settles a run whose worker is lost: queued again if the lease was not acknowledged, else ended. Then call `wake("work")`. */
export async function settleLostRun(tx: Tx, ctx: Ctx, run: LostRun, message: string): Promise<void> {
  if (run.unacknowledged && run.cancelReason === null && run.fence < MAX_FENCE) {
    const why = `the worker ${run.worker?.name ?? ""} was lost before it acknowledged the lease`;
    await requeue(tx, ctx, run, {
      where: { unacknowledged: true },
      summary: `put ${run.skill.name} back in the queue: ${why}`,
    });
    return;
  }
  await failRun(tx, ctx, run, message);
}

/** `unsent`: the server knows that the lease was not sent; the others are reported by the worker. */
export type ReleaseReason = "gave back" | "never got" | "unsent";

/**
 * Settles a run that its worker reports as not started: it is queued again, but ends as lost if it counts as started,
 * because the worker has acknowledged it or does not acknowledge leases. A run that may execute twice is queued again even
 * then, while it has no events. Call `wake` after the transaction, with "work" and the run.
 */
export async function settleReturnedRun(tx: Tx, ctx: Ctx, run: LostRun, how: ReleaseReason): Promise<void> {
  const summary = `${how === "unsent" ? "returned" : how} ${run.skill.name}, which is queued again`;
  const isSilent = mayRepeat(run) && (await tx.runEvent.count({ where: { runId: run.id } })) === 0;
  if (how === "unsent" || ((run.unacknowledged || isSilent) && run.fence < MAX_FENCE)) {
    const where = how === "unsent" || isSilent ? {} : { unacknowledged: true };
    return requeue(tx, ctx, run, { where, summary });
  }
  const said = how === "gave back" ? "gave this run back" : "says that it never got this run";
  const although = run.unacknowledged ? "" : ", which counts as started";
  await failRun(tx, ctx, run, `Worker “${run.worker?.name ?? "unknown"}” ${said}${although}.`);
}

type Requeued = { where: { unacknowledged?: boolean }; summary: string };

async function requeue(tx: Tx, ctx: Ctx, run: LostRun, { where, summary }: Requeued): Promise<void> {
  const { id, fence, workerId } = run;
  const held = { ...where, id, workerId, fence, state: "running", cancelReason: null };
  if ((await tx.run.updateMany({ where: held, data: QUEUED_AGAIN })).count === 0) return;
  await recordRunEvent(tx, ctx, run, { action: "run.return", summary, data: { fence } });
}

const QUEUED_AGAIN = {
  state: "queued",
  workerId: null,
  isolation: null,
  startedAt: null,
  leaseUntil: null,
  unacknowledged: false,
} as const;

/** Ends one run as failed because its worker is lost. What it did is unknown; a run that changes nothing is queued once more. */
async function failRun(tx: Tx, ctx: Ctx, run: LostRun, message: string): Promise<void> {
  const startedAt = run.startedAt ?? ctx.now();
  const isCancelled = run.unacknowledged && run.cancelReason !== null;
  const known = run.unacknowledged
    ? `No worker acknowledged it, although it was handed over ${run.fence} times.`
    : "What it did until then is unknown.";
  const next = isTriedAgain(run) ? " It is safe, so it is tried once more." : "";
  const hasEnded = await finishRun(tx, ctx, run, {
    error: isCancelled
      ? { code: "cancelled", message: run.cancelReason ?? "" }
      : { code: "worker_lost", message: `${message} ${known}${next}` },
    exitCode: null,
    signal: null,
    timedOut: false,
    truncated: false,
    startedAt: startedAt.toISOString(),
    finishedAt: ctx.now().toISOString(),
    durationMs: Math.max(0, ctx.now().getTime() - startedAt.getTime()),
    rawOutput: null,
  });
  if (hasEnded && next !== "") await retryLostRun(tx, ctx, run);
}

type LostRun = Prisma.RunGetPayload<{ include: { skill: true; worker: true } }>;

/** Only runs that change nothing may execute twice, and not if people signed or cancelled them; pipelines decide themselves. */
function isTriedAgain(run: LostRun): boolean {
  const isAsked = run.parkedAt === null && run.signatures === null && run.cancelReason === null;
  return run.class === "safe" && run.attempt === 1 && isAsked && run.parentRunId === null;
}

async function retryLostRun(tx: Tx, ctx: Ctx, run: LostRun): Promise<string> {
  const id = newId();
  const attempt = run.attempt + 1;
  await tx.run.create({
    data: { ...pinned(run), id, state: "queued", attempt, retryOfId: run.id, queuedAt: ctx.now() },
  });
  await recordRunEvent(
    tx,
    ctx,
    { ...run, id, worker: null },
    {
      action: "run.retry",
      summary: `started ${run.skill.name} once more for ${run.callerName}, because its worker was lost`,
      data: { attempt, retryOf: run.id, subject: run.subject },
    },
  );
  return id;
}

function pinned(run: LostRun) {
  const { skillId, versionId, versionDigest, subject, args, argsDigest, limits, env, targetWorker } = run;
  const { callerId, callerName, callerKind, callerRole, tokenId, tokenName, personaId, personaName, sessionId } = run;
  return {
    ...{ skillId, versionId, versionDigest, subject, args, argsDigest, limits, env, targetWorker },
    ...{ callerId, callerName, callerKind, callerRole, tokenId, tokenName, personaId, personaName, sessionId },
    class: run.class,
    scope: run.scope,
    sopId: run.sopId,
    requestId: run.requestId,
    traceParent: run.traceParent,
    surface: run.surface,
    groupId: run.groupId,
    scheduleId: run.scheduleId,
  };
}
