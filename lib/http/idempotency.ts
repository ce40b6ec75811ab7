import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import { processId, processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { isProcessAlive } from "@/lib/jobs/processes";

type IdempotentRequest = {
  key: string;
  address: string;
  body: unknown;
  /** Builds the answer for the run of a first request whose process died before answering. */
  recover: ((runId: string) => Promise<Response>) | null;
};

/**
 * Answers a repeated request with the first answer. Keys are per person; throws `idempotency_mismatch` for another body
 * and `conflict` while the first request runs. Failures are not stored.
 */
export async function answerIdempotently(
  ctx: Ctx,
  request: IdempotentRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  if (!/^[\x21-\x7e]{1,200}$/.test(request.key))
    throw new AppError("malformed", "Idempotency-Key must have 1 to 200 visible ASCII characters.");
  const requestHash = sha256Hex(`${request.address}\n${canonicalJson(request.body)}`);
  const pending = pendingKeys();
  const actorKey = isPerson(ctx.actor) ? ctx.actor.userId : ctx.actor.kind;
  const id = { actorKey_key: { actorKey, key: request.key } };
  const earlier = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.idempotentAnswer.findUnique({ where: id });
    const abandoned = row?.status === null && (await isAbandoned(txCtx, row));
    if (row !== null && (!abandoned || row.runId !== null)) return { ...row, abandoned };
    const data = { requestHash, createdAt: ctx.now(), status: null, body: null, processId: processId() };
    await tx.idempotentAnswer.upsert({ where: id, create: { actorKey, key: request.key, ...data }, update: data });
    return null;
  });
  if (earlier === null) pending.add(`${actorKey} ${request.key}`);
  const store = async (response: Response) => {
    const body = await response.text();
    await inTransaction(ctx, (tx) =>
      tx.idempotentAnswer.update({ where: id, data: { status: response.status, body } }),
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
  if (earlier !== null) {
    const canRecover = earlier.abandoned && earlier.requestHash === requestHash;
    if (canRecover && earlier.runId !== null && request.recover) return store(await request.recover(earlier.runId));
    return replay(earlier, requestHash);
  }
  ctx.request = { ...ctx.request, onceKey: id.actorKey_key };
  try {
    return await store(await work());
  } catch (error) {
    await inTransaction(ctx, (tx) => tx.idempotentAnswer.delete({ where: id }));
    throw error;
  } finally {
    pending.delete(`${actorKey} ${request.key}`);
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
    throw new AppError("conflict", "The first request with this Idempotency-Key is still running. Try again shortly.");
  const headers = { "content-type": "application/json", "idempotency-replayed": "true" };
  return new Response(row.body, { status: row.status, headers });
}

/** Whether the process of the first request has ended, or is this one and does not know the request. */
async function isAbandoned(
  ctx: Ctx,
  row: { actorKey: string; key: string; processId: string | null },
): Promise<boolean> {
  if (row.processId === processId()) return !pendingKeys().has(`${row.actorKey} ${row.key}`);
  return row.processId === null || !(await isProcessAlive(ctx, row.processId));
}

/** Keys of first requests that this process is handling. */
function pendingKeys(): Set<string> {
  return processStore("pending-idempotency-keys", () => new Set<string>());
}
