import { recordEvent } from "@/lib/audit/record-event";
import type { SetupInput, User } from "@/lib/auth/schema";
import { createOneTimeToken, findOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { assertAcceptablePassword, hashPassword } from "./passwords";
import { describeUser } from "./users";

/** Whether an active admin exists. */
export async function hasAdmin(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.user.count({ where: { role: "admin", state: "active" } })) > 0;
}

/** Creates the first admin, without an access check; `conflict` when there is one. */
export async function createFirstAdmin(
  ctx: Ctx,
  input: { name: string; email: string; passwordHash: string },
): Promise<User> {
  return inTransaction(ctx, async (tx, txCtx) => {
    if (await hasAdmin(txCtx)) throw new AppError("conflict", "This server is already set up. Sign in instead.");
    if ((await tx.user.count({ where: { email: input.email } })) > 0) {
      throw new AppError("conflict", `A person with the email address ${input.email} already exists.`);
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

/** Creates a set-up link while there is no admin, for the start of the server; earlier links become invalid. */
export async function openSetup(ctx: Ctx): Promise<string> {
  if (ctx.actor.kind !== "system") throw new AppError("forbidden", "Only the server itself opens the set-up.");
  return inTransaction(ctx, async (tx, txCtx) => {
    if (await hasAdmin(txCtx)) throw new AppError("conflict", "This server is already set up.");
    const secret = await createOneTimeToken(txCtx, { purpose: "setup", userId: null, createdBy: null });
    await recordEvent(tx, txCtx, { action: "setup.open", summary: "printed a set-up link" });
    return secret;
  });
}

/** Creates the first admin with the set-up link, which works once and only while there is no admin. */
export async function completeSetup(ctx: Ctx, input: SetupInput): Promise<User> {
  await assertOpen(ctx, input.token);
  assertAcceptablePassword(input.password, input.email);
  const passwordHash = await hashPassword(input.password);
  return inTransaction(ctx, async (tx, txCtx) => {
    // A concurrent request may have used the token.
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
  if (await hasAdmin(ctx)) throw new AppError("conflict", "This server is already set up. Sign in instead.");
  const token = await findOneTimeToken(ctx, { purpose: "setup", secret });
  if (token.state === "valid") return token.id;
  throw new AppError(
    token.state === "unknown" ? "not_found" : "conflict",
    "This set-up link is invalid or was used. Restart the server and use the link that it prints.",
  );
}
