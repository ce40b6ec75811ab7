import { recordEvent } from "@/lib/audit/record-event";
import { verifyPassword } from "@/lib/auth/people/hash-password";
import type { SignInInput } from "@/lib/auth/schema";
import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  type Attempt,
  countAttempt,
  emailDigest,
  uncountAttempt,
} from "./sign-in-throttle";
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

type Failure = { email: string; attempt: Attempt; user: { id: string; name: string } | null };

/**
 * Adds the event of a failed sign-in, and of a lock it brought about. What was typed as the email address is kept as a
 * digest only: it may be a password in the wrong field.
 */
async function recordFailedSignIn(ctx: Ctx, { email, attempt, user }: Failure): Promise<void> {
  const digest = emailDigest(email);
  const target = user ? { target: { kind: "user", id: user.id, name: user.name } } : {};
  await inTransaction(ctx, async (tx) => {
    await recordEvent(tx, ctx, {
      action: "sign_in.fail",
      outcome: "refused",
      summary: "failed to sign in",
      ...target,
      data: { emailDigest: digest },
    });
    if (attempt.account.failures === ACCOUNT_LIMIT) {
      await recordEvent(tx, ctx, {
        action: "sign_in.lock",
        outcome: "refused",
        summary: `caused an account to be locked after ${ACCOUNT_LIMIT} failed sign-ins`,
        ...target,
        data: { emailDigest: digest },
      });
    }
    if (attempt.address?.failures === ADDRESS_LIMIT) {
      await recordEvent(tx, ctx, {
        action: "sign_in.lock",
        outcome: "refused",
        summary: `caused an address to be locked after ${ADDRESS_LIMIT} failed sign-ins`,
        data: { address: ctx.request.address },
      });
    }
  });
}
