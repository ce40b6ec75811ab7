import { recordEvent } from "@/lib/audit/record-event";
import { Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

const OPERATOR = "environment";

/**
 * Registers the token the operator set for an admin: all scopes, no expiry. The one set before stops working; one that
 * was revoked here stays revoked. Doing it again changes nothing.
 */
export async function registerAdminToken(ctx: Ctx, { email, token }: { email: string; token: string }): Promise<void> {
  if (ctx.actor.kind !== "system") throw new AppError("forbidden", "Only the server itself registers this token.");
  const secretHash = sha256Hex(token);
  await inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.apiToken.count({ where: { secretHash } })) > 0) return;
    const user = await tx.user.findUnique({ where: { email, role: "admin" } });
    if (user === null) return;
    const at = ctx.now();
    await tx.apiToken.updateMany({
      where: { userId: user.id, createdBy: OPERATOR, revokedAt: null },
      data: { revokedAt: at },
    });
    const id = newId();
    const name = "SKILLGATE_ADMIN_TOKEN";
    const scopes = JSON.stringify(Scope.options);
    await tx.apiToken.create({
      data: { id, userId: user.id, createdBy: OPERATOR, name, secretHash, scopes, createdAt: at },
    });
    await recordEvent(tx, txCtx, {
      action: "token.create",
      summary: `registered the token of the environment for ${user.name}`,
      target: { kind: "token", id, name },
      data: { userId: user.id, scopes: Scope.options },
    });
  });
}
