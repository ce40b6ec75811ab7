import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { ACCOUNT_LIMIT, ADDRESS_LIMIT, type Attempt, emailDigest } from "./sign-in-throttle";

type Failure = { email: string; attempt: Attempt; user: { id: string; name: string } | null };

/**
 * Adds the event of a failed sign-in, and of a lock it brought about. What was typed as the email address is kept as a
 * digest only: it may be a password in the wrong field.
 */
export async function recordFailedSignIn(ctx: Ctx, { email, attempt, user }: Failure): Promise<void> {
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
