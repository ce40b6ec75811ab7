import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { verifyPassword } from "./hash-password";
import { recordFailedSignIn } from "./record-failed-sign-in";
import type { SignInInput } from "./schema";
import { type Attempt, countAttempt, uncountAttempt } from "./sign-in-throttle";
import { startSession } from "./start-session";

/**
 * Starts a session for an active person with this password; null when there is none, whatever the reason, and after the
 * same work. `rate_limited` while the account or the address is locked, or too many sign in at once.
 */
export async function signIn(ctx: Ctx, input: SignInInput): Promise<PersonActor | null> {
  const email = input.email.trim().toLowerCase();
  const attempt = await countAttempt(ctx, email);
  const user = await ctx.db.user.findUnique({ where: { email } });
  const fits = await verify(ctx, attempt, { stored: user?.passwordHash ?? null, password: input.password });
  return inTransaction(ctx, async (tx, txCtx) => {
    // Read again: the person may have been disabled while the password was hashed.
    const now = user && fits ? await tx.user.findUnique({ where: { id: user.id, state: "active" } }) : null;
    if (now === null) {
      await recordFailedSignIn(txCtx, { email, attempt, user });
      return null;
    }
    await uncountAttempt(tx, attempt, "succeeded");
    return startSession(txCtx, now, null);
  });
}

/** An attempt whose password was not compared, because too many others wait, does not count. */
async function verify(
  ctx: Ctx,
  attempt: Attempt,
  given: { stored: string | null; password: string },
): Promise<boolean> {
  try {
    return await verifyPassword(given.stored, given.password);
  } catch (error) {
    await inTransaction(ctx, (tx) => uncountAttempt(tx, attempt, "not_tried"));
    throw error;
  }
}
