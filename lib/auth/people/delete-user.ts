import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { assertNotLastAdmin } from "./assert-not-last-admin";
import { endAccess } from "./end-access";
import { getUserRow } from "./get-user";

/** Removes a person's access for good: disabled, sessions ended, tokens, invitations and connected sign-ins revoked. What they did stays readable. */
export async function deleteUser(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const user = await getUserRow(txCtx, id);
    await assertNotLastAdmin(txCtx, user);
    await tx.user.update({ where: { id }, data: { state: "disabled", updatedAt: ctx.now() } });
    await endAccess(txCtx, { userId: id, tokens: true });
    await tx.savedView.deleteMany({ where: { userId: id } });
    await tx.connectedSignIn.deleteMany({ where: { userId: id } });
    await recordEvent(tx, txCtx, {
      action: "user.delete",
      summary: `removed ${user.name}`,
      target: { kind: "user", id, name: user.name },
      data: { email: user.email, role: user.role },
    });
  });
}
