import { LRUCache } from "lru-cache";
import { processStore } from "@/lib/core/process-store";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type ReleaseReason, settleReturnedRun } from "@/lib/runner/runs/fail-lost-runs";
import type { Lease } from "@/lib/worker/protocol";

const MAX_ASKS = 10_000;

type Handed = Pick<Lease, "runId" | "fence">[];
/**
 * The leases in the answer to each request; `abandoned` when the worker will not read the answer, which must then contain none.
 */
const asks = () => processStore("asks-for-leases", () => new LRUCache<string, Handed | "abandoned">({ max: MAX_ASKS }));

/** Whether the worker has reported that it will never read the answer to this request. */
export function isAbandoned(workerId: string, ask: string | undefined): boolean {
  return ask !== undefined && asks().get(`${workerId} ${ask}`) === "abandoned";
}

/** Remembers the leases of an answer; call it in the transaction that hands them over. */
export function rememberLeases(workerId: string, ask: string | undefined, leases: Handed): void {
  if (ask === undefined || leases.length === 0) return;
  asks().set(
    `${workerId} ${ask}`,
    leases.map(({ runId, fence }) => ({ runId, fence })),
  );
}

/**
 * Requeues runs whose leases never reached their worker: it reports that it did not get the answer, and it starts only runs
 * it got. Their next lease has a higher fence. Runs that count as started end as lost instead. A lease that this process
 * does not remember runs out, and its run ends as lost.
 */
export async function requeueUnanswered(ctx: Ctx, workerId: string, unanswered: readonly string[]): Promise<void> {
  if (unanswered.length === 0) return;
  // Kept for a transaction that is repeated: no other one of this process comes between.
  const found = new Map<string, Handed | "abandoned">();
  const settled = await inTransaction(ctx, async (tx, txCtx) => {
    const all: string[] = [];
    for (const ask of unanswered) {
      const key = `${workerId} ${ask}`;
      const handed = found.get(key) ?? asks().get(key) ?? "abandoned";
      found.set(key, handed);
      asks().set(key, "abandoned");
      if (handed === "abandoned") continue;
      all.push(...(await releaseLeases(tx, txCtx, workerId, { handed, how: "never got" })));
    }
    return all;
  });
  wakeAll(settled);
}

/**
 * Requeues runs whose leases the worker returned, or whose leases were not sent (`unsent`), under the rules of
 * `requeueUnanswered`.
 */
export async function requeueReturned(
  ctx: Ctx,
  workerId: string,
  handed: Handed,
  how: "gave back" | "unsent" = "gave back",
): Promise<void> {
  if (handed.length === 0) return;
  wakeAll(await inTransaction(ctx, (tx, txCtx) => releaseLeases(tx, txCtx, workerId, { handed, how })));
}

type Abandoned = { handed: Handed; how: ReleaseReason };

async function releaseLeases(tx: Tx, ctx: Ctx, workerId: string, { handed, how }: Abandoned): Promise<string[]> {
  const settled: string[] = [];
  for (const { runId: id, fence } of handed) {
    const where = { id, workerId, fence, state: "running", cancelReason: null };
    const run = await tx.run.findFirst({ where, include: { skill: true, worker: true } });
    if (run === null) continue;
    await settleReturnedRun(tx, ctx, run, how);
    settled.push(id);
  }
  return settled;
}

function wakeAll(runIds: string[]): void {
  for (const runId of runIds) wake(`run:${runId}`);
  if (runIds.length > 0) wake("work");
}
