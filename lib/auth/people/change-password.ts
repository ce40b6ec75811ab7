import { recordEvent } from "@/lib/audit/record-event";
import type { ChangePasswordInput } from "@/lib/auth/schema";
import { requireBrowser } from "@/lib/auth/sessions/sessions";
import { countAttempt, uncountAttempt } from "@/lib/auth/sessions/sign-in";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { assertAcceptablePassword, hashPassword, verifyPassword } from "./passwords";

/**
 * Changes the password of the signed-in person and ends their other sessions. Browsers only, no tokens. A wrong current
 * password is `invalid` and counts as a failed sign-in, so that a stolen session cannot guess it.
 */
export async function changePassword(ctx: Ctx, input: ChangePasswordInput): Promise<void> {
  const actor = requireBrowser(ctx.actor);
  assertAcceptablePassword(input.password, actor.email);
  const attempt = await countAttempt(ctx, actor.email);
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: actor.userId } });
  if (!(await verifyPassword(user.passwordHash, input.current))) {
    const message = "The current password is wrong.";
    throw new AppError("invalid", message, { errors: [{ path: "current", message }] });
  }
  const passwordHash = await hashPassword(input.password);
  await inTransaction(ctx, async (tx, txCtx) => {
    await uncountAttempt(tx, attempt, "succeeded");
    await tx.user.update({ where: { id: user.id }, data: { passwordHash, updatedAt: ctx.now() } });
    const { count } = await tx.session.updateMany({
      where: { userId: user.id, revokedAt: null, id: { not: actor.sessionId } },
      data: { revokedAt: ctx.now() },
    });
    await recordEvent(tx, txCtx, {
      action: "user.change_password",
      summary: "changed their password",
      target: { kind: "user", id: user.id, name: user.name },
      data: { otherSessionsEnded: count },
    });
  });
}
