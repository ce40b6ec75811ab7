import { recordRunEvent } from "@/lib/audit/record-run-event";
import { processStore } from "@/lib/core/process-store";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { Lease } from "@/lib/worker/protocol";
import type { LostRun } from "./retry-lost-run";

const MAX_ASKS = 10_000;

type Handed = Pick<Lease, "runId" | "fence">[];
/** The leases that each request was answered with; null for one that its worker gave up, which must get none. */
const asks = () => processStore("asks-for-leases", () => new Map<string, Handed | null>());

/** Whether the worker has said that it will never read the answer to this request. */
export function isGivenUp(workerId: string, ask: string | undefined): boolean {
  return ask !== undefined && asks().get(`${workerId} ${ask}`) === null;
}

/** Keeps what a request is answered with; call it in the transaction that hands the leases over. */
export function rememberLeases(workerId: string, ask: string | undefined, leases: Handed): void {
  if (ask === undefined || leases.length === 0) return;
  note(
    `${workerId} ${ask}`,
    leases.map(({ runId, fence }) => ({ runId, fence })),
  );
}

/**
 * Puts runs back in the queue whose leases surely never reached their worker: they stood in an answer that it says it did
 * not get, and the worker starts only what it got. Their next lease has a higher fence. What this process does not
 * remember ends with its lease, as lost.
 */
export async function takeBackUnanswered(ctx: Ctx, workerId: string, unanswered: readonly string[]): Promise<void> {
  if (unanswered.length === 0) return;
  const taken = await inTransaction(ctx, async (tx, txCtx) => {
    let count = 0;
    for (const ask of unanswered) {
      const key = `${workerId} ${ask}`;
      const handed = asks().get(key) ?? [];
      note(key, null);
      count += await queueAgain(tx, txCtx, workerId, { handed, how: "never got" });
    }
    return count;
  });
  if (taken > 0) wake("work");
}

/** The same for leases that the worker gives back, because what it executes takes longer than it thought. */
export async function takeBackReturned(ctx: Ctx, workerId: string, handed: Handed): Promise<void> {
  if (handed.length === 0) return;
  const taken = await inTransaction(ctx, (tx, txCtx) => queueAgain(tx, txCtx, workerId, { handed, how: "gave back" }));
  if (taken > 0) wake("work");
}

type GivenUp = { handed: Handed; how: string };

/**
 * Puts one run back in the queue whose worker is lost and has not acknowledged the lease, unless it
 * has acknowledged it in this moment. Call `wake("work")` after the transaction.
 */
export async function requeueUnacknowledged(tx: Tx, ctx: Ctx, run: LostRun): Promise<void> {
  const { id, fence, workerId } = run;
  const where = { id, workerId, fence, state: "running", unacknowledged: true, cancelReason: null };
  if ((await tx.run.updateMany({ where, data: QUEUED_AGAIN })).count === 0) return;
  await recordRunEvent(tx, ctx, run, {
    action: "run.return",
    summary: `put ${run.skill.name} back in the queue: the worker ${run.worker?.name ?? ""} was lost before it acknowledged the lease`,
    data: { fence },
  });
}

const QUEUED_AGAIN = {
  state: "queued",
  workerId: null,
  isolation: null,
  startedAt: null,
  leaseUntil: null,
  unacknowledged: false,
} as const;

/** Answers how many of them were still that worker's. */
async function queueAgain(tx: Tx, ctx: Ctx, workerId: string, { handed, how }: GivenUp): Promise<number> {
  let count = 0;
  for (const { runId, fence } of handed) {
    const { count: found } = await tx.run.updateMany({
      where: { id: runId, workerId, fence, state: "running", cancelReason: null },
      data: QUEUED_AGAIN,
    });
    count += found;
    if (found === 0) continue;
    const run = await tx.run.findUniqueOrThrow({ where: { id: runId }, include: { skill: true } });
    await recordRunEvent(
      tx,
      ctx,
      { ...run, worker: ctx.actor.kind === "worker" ? ctx.actor : null },
      {
        action: "run.return",
        summary: `${how} ${run.skill.name}, which waits again`,
        data: { fence },
      },
    );
  }
  return count;
}

function note(key: string, handed: Handed | null): void {
  const known = asks();
  known.delete(key);
  known.set(key, handed);
  const [oldest] = known.keys();
  if (known.size > MAX_ASKS && oldest !== undefined) known.delete(oldest);
}
