import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import { processId, processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { isProcessAlive } from "@/lib/jobs/processes";

type OnceRequest = {
  key: string;
  address: string;
  body: unknown;
  /** The answer about the run that a first request made when the process died before it could answer. */
  recover: ((runId: string) => Promise<Response>) | null;
};

/**
 * Answers a repeated request with the first answer. A key belongs to the person who sent it; the same key with another
 * body is `idempotency_mismatch`, and one whose first request still works is `conflict`. Failures are not kept.
 */
export async function answerIdempotently(
  ctx: Ctx,
  request: OnceRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  if (!/^[\x21-\x7e]{1,200}$/.test(request.key))
    throw new AppError("malformed", "Idempotency-Key: 1 to 200 visible ASCII characters.");
  const requestHash = sha256Hex(`${request.address}\n${canonicalJson(request.body)}`);
  const underWay = pendingKeys();
  const actorKey = isPerson(ctx.actor) ? ctx.actor.userId : ctx.actor.kind;
  const id = { actorKey_key: { actorKey, key: request.key } };
  const earlier = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.idempotentAnswer.findUnique({ where: id });
    const abandoned = row?.status === null && (await isAbandoned(txCtx, row));
    if (row !== null && (!abandoned || row.runId !== null)) return { ...row, abandoned };
    const data = { requestHash, createdAt: ctx.now(), status: null, body: null, processId: processId() };
    await tx.idempotentAnswer.upsert({ where: id, create: { actorKey, key: request.key, ...data }, update: data });
    underWay.add(`${actorKey} ${request.key}`);
    return null;
  });
  const keep = async (response: Response) => {
    const body = await response.text();
    await inTransaction(ctx, (tx) =>
      tx.idempotentAnswer.update({ where: id, data: { status: response.status, body } }),
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
  if (earlier !== null) {
    const canRecover = earlier.abandoned && earlier.requestHash === requestHash;
    if (canRecover && earlier.runId !== null && request.recover) return keep(await request.recover(earlier.runId));
    return replay(earlier, requestHash);
  }
  ctx.request = { ...ctx.request, onceKey: id.actorKey_key };
  try {
    return await keep(await work());
  } catch (error) {
    await inTransaction(ctx, (tx) => tx.idempotentAnswer.delete({ where: id }));
    throw error;
  } finally {
    underWay.delete(`${actorKey} ${request.key}`);
  }
}

function replay(
  row: { requestHash: string; status: number | null; body: string | null },
  requestHash: string,
): Response {
  if (row.requestHash !== requestHash) {
    throw new AppError("idempotency_mismatch", "This Idempotency-Key was used for another request.");
  }
  if (row.status === null)
    throw new AppError("conflict", "The first request with this Idempotency-Key is still working.");
  const headers = { "content-type": "application/json", "idempotency-replayed": "true" };
  return new Response(row.body, { status: row.status, headers });
}

/** Whether nobody works on the first request any more: a process that has ended did, or this one, which knows of none. */
async function isAbandoned(
  ctx: Ctx,
  row: { actorKey: string; key: string; processId: string | null },
): Promise<boolean> {
  if (row.processId === processId()) return !pendingKeys().has(`${row.actorKey} ${row.key}`);
  return row.processId === null || !(await isProcessAlive(ctx, row.processId));
}

/** Keys whose first request this process is working on. */
function pendingKeys(): Set<string> {
  return processStore("keys-under-way", () => new Set<string>());
}
