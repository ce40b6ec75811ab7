import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

/** Ends all sessions of the signed-in person, this one too. Only a browser may: tokens have no session. */
export async function signOutEverywhere(ctx: Ctx): Promise<{ revoked: number }> {
  const { actor } = ctx;
  if (actor.kind === "anonymous") throw new AppError("unauthenticated", "Sign in first.");
  if (actor.kind !== "user") throw new AppError("forbidden", "Only a signed-in browser may call this, not a token.");
  return inTransaction(ctx, async (tx, txCtx) => {
    const { count } = await tx.session.updateMany({
      where: { userId: actor.userId, revokedAt: null, expiresAt: { gt: ctx.now() } },
      data: { revokedAt: ctx.now() },
    });
    await recordEvent(tx, txCtx, {
      action: "session.revoke_all",
      summary: "signed out everywhere",
      target: { kind: "user", id: actor.userId, name: actor.name },
      data: { sessions: count },
    });
    return { revoked: count };
  });
}
