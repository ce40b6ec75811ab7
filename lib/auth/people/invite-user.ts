import { recordEvent } from "@/lib/audit/record-event";
import type { InviteUserInput, User } from "@/lib/auth/schema";
import { createOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { describeUser } from "./describe-user";

/** Adds a person who then sets their own password; `token` is the secret of the link that lets them. */
export async function inviteUser(ctx: Ctx, input: InviteUserInput): Promise<{ user: User; token: string }> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.user.count({ where: { email: input.email } })) > 0) {
      throw new AppError("conflict", `A person with the email address ${input.email} exists already.`);
    }
    const at = ctx.now();
    const user = await tx.user.create({
      data: { id: newId(), ...input, state: "invited", createdAt: at, updatedAt: at },
    });
    const token = await createOneTimeToken(txCtx, { purpose: "invite", userId: user.id, createdBy: actor.userId });
    await recordEvent(tx, txCtx, {
      action: "user.invite",
      summary: `invited ${user.name} as ${user.role}`,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    });
    return { user: describeUser(user, null), token };
  });
}
