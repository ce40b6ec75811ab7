import { recordEvent } from "@/lib/audit/record-event";
import type { User } from "@/lib/auth/schema";
import { createOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { describeUser } from "./describe-user";
import { getUserRow } from "./get-user";

/** A new link for somebody who never accepted one; the earlier link stops working. */
export async function createInvite(ctx: Ctx, userId: string): Promise<{ user: User; token: string }> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await getUserRow(txCtx, userId);
    // A link for somebody who has a password would let its sender take the account over.
    if (before.passwordHash !== null) throw new AppError("conflict", `${before.name} has joined already.`);
    const user = await tx.user.update({ where: { id: userId }, data: { state: "invited", updatedAt: ctx.now() } });
    const token = await createOneTimeToken(txCtx, { purpose: "invite", userId, createdBy: actor.userId });
    await recordEvent(tx, txCtx, {
      action: "user.invite",
      summary: `made a new invitation link for ${user.name}`,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    });
    return { user: describeUser(user, null), token };
  });
}
