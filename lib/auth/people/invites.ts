import { recordEvent } from "@/lib/audit/record-event";
import type { InviteUserInput, User } from "@/lib/auth/schema";
import { createOneTimeToken, findOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { User as UserRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { assertAcceptablePassword, hashPassword } from "./passwords";
import { describeUser, getUserRow } from "./users";

/** Creates a new invitation link for a person who has not joined; the earlier link becomes invalid. */
export async function createInvite(ctx: Ctx, userId: string): Promise<{ user: User; token: string }> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await getUserRow(txCtx, userId);
    // A link for a person with a password would let its sender take over the account.
    if (before.passwordHash !== null) throw new AppError("conflict", `${before.name} has already joined.`);
    const user = await tx.user.update({ where: { id: userId }, data: { state: "invited", updatedAt: ctx.now() } });
    const token = await createOneTimeToken(txCtx, { purpose: "invite", userId, createdBy: actor.userId });
    await recordEvent(tx, txCtx, {
      action: "user.invite",
      summary: `created a new invitation link for ${user.name}`,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    });
    return { user: describeUser(user, null), token };
  });
}

/** Adds a person, who sets their own password with the link; `token` is its secret. */
export async function inviteUser(ctx: Ctx, input: InviteUserInput): Promise<{ user: User; token: string }> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.user.count({ where: { email: input.email } })) > 0) {
      throw new AppError("conflict", `A person with the email address ${input.email} already exists.`);
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

/** Sets the invited person's password and activates them; a link works once, within seven days. */
export async function acceptInvite(ctx: Ctx, input: { token: string; password: string }): Promise<{ email: string }> {
  const invited = await getInvited(ctx, input.token);
  assertAcceptablePassword(input.password, invited.user.email);
  const passwordHash = await hashPassword(input.password);
  return inTransaction(ctx, async (tx, txCtx) => {
    // A concurrent request may have used the link.
    const { user, tokenId } = await getInvited(txCtx, input.token);
    const at = ctx.now();
    await tx.oneTimeToken.update({ where: { id: tokenId }, data: { usedAt: at } });
    await tx.user.update({ where: { id: user.id }, data: { passwordHash, state: "active", updatedAt: at } });
    await recordEvent(tx, txCtx, {
      action: "user.join",
      summary: `accepted the invitation of ${user.name}`,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    });
    return { email: user.email };
  });
}

async function getInvited(ctx: Ctx, secret: string): Promise<{ user: UserRow; tokenId: string }> {
  const token = await findOneTimeToken(ctx, { purpose: "invite", secret });
  if (token.state === "expired") throw new AppError("conflict", "This invitation has expired; ask for a new one.");
  if (token.state === "used") throw new AppError("conflict", "This invitation was already used or withdrawn.");
  if (token.state === "unknown" || token.userId === null)
    throw new AppError("not_found", "There is no such invitation.");
  const user = await getUserRow(ctx, token.userId);
  if (user.state !== "invited") throw new AppError("conflict", "This invitation was already used or withdrawn.");
  return { user, tokenId: token.id };
}
