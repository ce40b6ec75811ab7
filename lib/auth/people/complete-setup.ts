import { recordEvent } from "@/lib/audit/record-event";
import type { SetupInput, User } from "@/lib/auth/schema";
import { findOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { assertAcceptablePassword } from "./assert-acceptable-password";
import { createFirstAdmin, hasAdmin } from "./create-first-admin";
import { hashPassword } from "./hash-password";

/** Creates the first admin for whoever has the set-up link; it works once, and only while there is no admin. */
export async function completeSetup(ctx: Ctx, input: SetupInput): Promise<User> {
  await assertOpen(ctx, input.token);
  assertAcceptablePassword(input.password, input.email);
  const passwordHash = await hashPassword(input.password);
  return inTransaction(ctx, async (tx, txCtx) => {
    // The loser of a race finds the token used.
    const id = await assertOpen(txCtx, input.token);
    await tx.oneTimeToken.update({ where: { id }, data: { usedAt: ctx.now() } });
    const user = await createFirstAdmin(txCtx, { name: input.name, email: input.email, passwordHash });
    await recordEvent(tx, txCtx, {
      action: "setup.complete",
      summary: `completed the set-up as ${user.name}`,
      target: { kind: "user", id: user.id, name: user.name },
    });
    return user;
  });
}

async function assertOpen(ctx: Ctx, secret: string): Promise<string> {
  if (await hasAdmin(ctx)) throw new AppError("conflict", "This server is set up already; sign in instead.");
  const token = await findOneTimeToken(ctx, { purpose: "setup", secret });
  if (token.state === "valid") return token.id;
  throw new AppError(
    token.state === "unknown" ? "not_found" : "conflict",
    "This set-up link does not work (any more). Restart the server and use the link that it prints.",
  );
}
