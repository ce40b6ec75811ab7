import { recordRunEvent } from "@/lib/audit/record-run-event";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";

export type LostRun = Prisma.RunGetPayload<{ include: { skill: true; worker: true } }>;

/**
 * Whether a run whose worker was lost is tried once more. Only what changes nothing may happen twice; what people signed
 * or wanted ended is not repeated without them, and a pipeline decides about its own steps.
 */
export function isTriedAgain(run: LostRun): boolean {
  const isAsked = run.parkedAt === null && run.signatures === null && run.cancelReason === null;
  return run.class === "safe" && run.attempt === 1 && isAsked && run.parentRunId === null;
}

/** Queues the same again as a run of its own: the same version, arguments, limits and caller. Answers its id. */
export async function retryLostRun(tx: Tx, ctx: Ctx, run: LostRun): Promise<string> {
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

/** All that a run starts with. */
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
