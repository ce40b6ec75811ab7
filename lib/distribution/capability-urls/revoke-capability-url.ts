import { recordEvent } from "@/lib/audit/record-event";
import { requireTokenKeeper } from "@/lib/auth/tokens/tokens";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { hasScope } from "@/lib/policy/require-scope";

/** Revokes a capability URL: the caller’s own, or anybody’s for an admin. Its next request is answered 410. */
export async function revokeCapabilityUrl(ctx: Ctx, id: string): Promise<void> {
  const actor = requireTokenKeeper(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.capabilityUrl.findUnique({ where: { id } });
    const isVisible = row?.userId === actor.userId || hasScope(actor, "admin");
    if (row === null || row.revokedAt !== null || !isVisible) {
      throw new AppError("not_found", `There is no capability URL ${id}.`);
    }
    await tx.capabilityUrl.update({ where: { id }, data: { revokedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "capability_url.revoke",
      summary: `revoked the capability URL “${row.name}” (${row.prefix}…)`,
      concerns: row.userId,
      target: { kind: "capability_url", id, name: row.name },
      data: { prefix: row.prefix, userId: row.userId },
    });
  });
}
