import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";

/** Takes a worker's token away. What it still holds ends as lost when its leases run out. */
export async function revokeWorker(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.worker.findFirst({ where: { id, revokedAt: null } });
    if (!row) throw new AppError("not_found", "There is no such worker.");
    // A revoked worker keeps its row for the runs it made; its name is free again.
    await tx.worker.update({ where: { id }, data: { revokedAt: ctx.now(), name: `${row.name} (revoked ${row.id})` } });
    await tx.workerSkill.deleteMany({ where: { workerId: id } });
    await recordEvent(tx, txCtx, {
      action: "worker.revoke",
      summary: `revoked the worker ${row.name}`,
      target: { kind: "worker", id, name: row.name },
    });
  });
}
