import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

/** Ends a person's sessions and withdraws their invitation links; with `tokens`, also revokes their API tokens for good. */
export async function endAccess(ctx: Ctx, { userId, tokens }: { userId: string; tokens: boolean }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const at = ctx.now();
    await tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: at } });
    await tx.oneTimeToken.updateMany({ where: { userId, usedAt: null }, data: { usedAt: at } });
    if (tokens) await tx.apiToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: at } });
  });
}
