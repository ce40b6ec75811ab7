import { recordEvent } from "@/lib/audit/record-event";
import type { User } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { describeUser } from "./describe-user";

/** Whether an admin who can sign in exists; from then on there always is one. */
export async function hasAdmin(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.user.count({ where: { role: "admin", state: "active" } })) > 0;
}

/** Creates the first admin; `conflict` once there is one. Who may ask for that is the caller’s business. */
export async function createFirstAdmin(
  ctx: Ctx,
  input: { name: string; email: string; passwordHash: string },
): Promise<User> {
  return inTransaction(ctx, async (tx, txCtx) => {
    if (await hasAdmin(txCtx)) throw new AppError("conflict", "This server is set up already; sign in instead.");
    if ((await tx.user.count({ where: { email: input.email } })) > 0) {
      throw new AppError("conflict", `A person with the email address ${input.email} exists already.`);
    }
    const at = ctx.now();
    const user = await tx.user.create({
      data: { id: newId(), ...input, role: "admin", state: "active", createdAt: at, updatedAt: at },
    });
    await recordEvent(tx, txCtx, {
      action: "user.create",
      summary: `created the first admin, ${user.name}`,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    });
    return describeUser(user, null);
  });
}
