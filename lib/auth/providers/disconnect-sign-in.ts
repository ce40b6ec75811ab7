import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

/**
 * Takes a connected sign-in from the signed-in person. `conflict` when nothing would be left to sign in with: no other
 * account, and no password or none that counts (`passwords` false).
 */
export async function disconnectSignIn(
  ctx: Ctx,
  { id, passwords, issuers }: { id: string; passwords: boolean; issuers: string[] },
): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user") throw new AppError("forbidden", "Only a signed-in browser may call this, not a token.");
  await inTransaction(ctx, async (tx, txCtx) => {
    const connection = await tx.connectedSignIn.findUnique({ where: { id }, include: { user: true } });
    if (connection === null || connection.userId !== actor.userId) {
      throw new AppError("not_found", `There is no connected sign-in ${id}.`);
    }
    const { user, label, provider, issuer, subject } = connection;
    const others = { userId: user.id, id: { not: id }, issuer: { in: issuers } };
    const hasPassword = passwords && user.passwordHash !== null;
    if (!hasPassword && (await tx.connectedSignIn.count({ where: others })) === 0) {
      throw new AppError("conflict", "This is your only way to sign in; connect another account first.");
    }
    await tx.connectedSignIn.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "sign_in.disconnect",
      summary: `disconnected the ${provider} account ${label}`,
      target: { kind: "user", id: user.id, name: user.name },
      data: { provider, issuer, subject, label },
    });
  });
}
