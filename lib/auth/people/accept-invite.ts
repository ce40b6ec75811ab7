import { recordEvent } from "@/lib/audit/record-event";
import { findOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { User as UserRow } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import { assertAcceptablePassword } from "./assert-acceptable-password";
import { getUserRow } from "./get-user";
import { hashPassword } from "./hash-password";

/** Sets the invited person's password and lets them in; a link works once, within seven days. Answers whom it was for. */
export async function acceptInvite(ctx: Ctx, input: { token: string; password: string }): Promise<{ email: string }> {
  const invited = await getInvited(ctx, input.token);
  assertAcceptablePassword(input.password, invited.user.email);
  const passwordHash = await hashPassword(input.password);
  return inTransaction(ctx, async (tx, txCtx) => {
    // The loser of a race finds the link used.
    const { user, tokenId } = await getInvited(txCtx, input.token);
    const at = ctx.now();
    await tx.oneTimeToken.update({ where: { id: tokenId }, data: { usedAt: at } });
    await tx.user.update({ where: { id: user.id }, data: { passwordHash, state: "active", updatedAt: at } });
    await recordEvent(tx, txCtx, {
      action: "user.join",
      summary: `accepted the invitation of ${user.name}`,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    });
    return { email: user.email };
  });
}

async function getInvited(ctx: Ctx, secret: string): Promise<{ user: UserRow; tokenId: string }> {
  const token = await findOneTimeToken(ctx, { purpose: "invite", secret });
  if (token.state === "expired") throw new AppError("conflict", "This invitation has expired; ask for a new one.");
  if (token.state === "used") throw new AppError("conflict", "This invitation was used or withdrawn already.");
  if (token.state === "unknown" || token.userId === null)
    throw new AppError("not_found", "There is no such invitation.");
  const user = await getUserRow(ctx, token.userId);
  if (user.state !== "invited") throw new AppError("conflict", "This invitation was used or withdrawn already.");
  return { user, tokenId: token.id };
}
