import { recordEvent } from "@/lib/audit/record-event";
import type { SetupInput, User } from "@/lib/auth/schema";
import { createOneTimeToken, findOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { assertAcceptablePassword, hashPassword } from "./passwords";
import { describeUser } from "./users";

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

/** Makes the secret of a fresh set-up link while there is no admin; earlier links stop working. For the start of the server only. */
export async function openSetup(ctx: Ctx): Promise<string> {
  if (ctx.actor.kind !== "system") throw new AppError("forbidden", "Only the server itself opens the set-up.");
  return inTransaction(ctx, async (tx, txCtx) => {
    if (await hasAdmin(txCtx)) throw new AppError("conflict", "This server is set up already.");
    const secret = await createOneTimeToken(txCtx, { purpose: "setup", userId: null, createdBy: null });
    await recordEvent(tx, txCtx, { action: "setup.open", summary: "printed a set-up link" });
    return secret;
  });
}

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
