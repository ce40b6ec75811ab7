import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { hasScope } from "@/lib/policy/require-scope";
import { requireTokenKeeper } from "./require-token-keeper";

/** Revokes a token: the caller's own, or anybody's for an admin. Its next request is refused. */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  const actor = requireTokenKeeper(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const token = await tx.apiToken.findUnique({ where: { id } });
    const isVisible = token?.userId === actor.userId || hasScope(actor, "admin");
    if (token === null || token.revokedAt !== null || !isVisible) {
      throw new AppError("not_found", `There is no token ${id}.`);
    }
    await tx.apiToken.update({ where: { id }, data: { revokedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "token.revoke",
      summary: `revoked the token “${token.name}”`,
      target: { kind: "token", id, name: token.name },
      data: { userId: token.userId },
    });
  });
}
