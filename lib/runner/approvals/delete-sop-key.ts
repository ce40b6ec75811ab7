import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";

/** Withdraws a key: procedures signed with it are no longer valid, and runs that wait under them will not start. */
export async function deleteSopKey(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.sopKey.findUnique({ where: { id } });
    if (row === null || row.revokedAt !== null) throw new AppError("not_found", `There is no key ${id.slice(0, 64)}.`);
    await tx.sopKey.update({ where: { id }, data: { revokedAt: ctx.now() } });
    const signed = await tx.sop.count({ where: { keyId: id, deletedAt: null } });
    await recordEvent(tx, txCtx, {
      action: "sop-key.delete",
      summary: `withdrew the key “${row.name}”, which ${signed} procedures are signed with`,
      target: { kind: "sop-key", id, name: row.name },
      data: { fingerprint: row.fingerprint, signed },
    });
  });
}
