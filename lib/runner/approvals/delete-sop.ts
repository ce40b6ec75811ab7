import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";

/** Takes a procedure out of use: runs that wait under it will not start. Its text stays, for the record. */
export async function deleteSop(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.sop.findUnique({ where: { id } });
    if (row === null || row.deletedAt !== null) {
      throw new AppError("not_found", `There is no procedure ${id.slice(0, 64)}.`);
    }
    await tx.sop.update({ where: { id }, data: { deletedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "sop.delete",
      summary: `took the procedure “${row.title}” out of use`,
      target: { kind: "sop", id, name: row.title },
    });
  });
}
