import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import type { Worker } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";

/** Has a worker read its directories of skills again; it is told in its next exchange, at once when it is online. */
export async function askRescan(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.worker.findFirst({ where: { id, revokedAt: null } });
    if (!row) throw new AppError("not_found", "There is no such worker.");
    await tx.worker.update({ where: { id }, data: { rescanAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "worker.rescan",
      summary: `asked ${row.name} to read its directories again`,
      target: { kind: "worker", id, name: row.name },
    });
  });
  wake("work");
}

const RESCAN = query<Pick<Worker, "rescanAt">>(`SELECT "rescanAt" FROM "Worker" WHERE "id" = ?`, { rescanAt: "date" });

/** Whether somebody asked for it since this worker was told last; from now on it counts as told. */
export async function takeRescan(ctx: Ctx, workerId: string): Promise<boolean> {
  const worker = await sqlOf(ctx).get(RESCAN, workerId);
  if (!worker?.rescanAt) return false;
  await inTransaction(ctx, (tx) => tx.worker.update({ where: { id: workerId }, data: { rescanAt: null } }));
  return true;
}
