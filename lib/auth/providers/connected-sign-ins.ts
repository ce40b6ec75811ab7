import { recordEvent } from "@/lib/audit/record-event";
import { requireBrowser } from "@/lib/auth/sessions/sessions";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Identity } from "@/lib/policy/decide-sign-in";
import { describeIdentity } from "./provider-failures";
import type { Provider } from "./read-providers";
import { ConnectedSignIns } from "./schema";

/** Whether an active admin has connected an account of one of these issuers. */
export async function hasConnectedAdmin(ctx: Ctx, issuers: string[]): Promise<boolean> {
  const where = { issuer: { in: issuers }, user: { role: "admin", state: "active" } };
  return issuers.length > 0 && (await ctx.db.connectedSignIn.count({ where })) > 0;
}

/** The connected accounts of the signed-in person, oldest first, and the providers that they could connect. */
export async function listConnectedSignIns(ctx: Ctx, providers: Provider[]): Promise<ConnectedSignIns> {
  const actor = requireBrowser(ctx.actor);
  const { passwordHash, connectedSignIns } = await ctx.db.user.findUniqueOrThrow({
    where: { id: actor.userId },
    include: { connectedSignIns: { orderBy: { id: "asc" } } },
  });
  const items = connectedSignIns.map((row) => {
    const providerName = providers.find(({ issuer }) => issuer === row.issuer)?.name ?? row.issuer;
    const times = { createdAt: row.createdAt.toISOString(), lastUsedAt: row.lastUsedAt.toISOString() };
    return { ...row, providerName, ...times };
  });
  return ConnectedSignIns.parse({ items, providers, hasPassword: passwordHash !== null });
}

/**
 * Connects an external account with the signed-in person, whose email addresses may differ: the person has proved that
 * both accounts are theirs. Browsers only. `conflict` when it is another person's sign-in; repeating it has no effect.
 */
export async function connectSignIn(
  ctx: Ctx,
  { identity, providerName }: { identity: Identity; providerName: string },
): Promise<void> {
  const actor = requireBrowser(ctx.actor);
  const { issuer, subject } = identity;
  await inTransaction(ctx, async (tx, txCtx) => {
    const known = await tx.connectedSignIn.findUnique({ where: { issuer_subject: { issuer, subject } } });
    if (known?.userId === actor.userId) return;
    if (known !== null) throw new AppError("conflict", "Another person already signs in with this account.");
    await addConnection(txCtx, { user: { id: actor.userId, name: actor.name }, identity, providerName });
  });
}

/** Adds the connection and its event; the caller has verified that the identity belongs to the person. */
export async function addConnection(
  ctx: Ctx,
  { user, identity, providerName }: { user: { id: string; name: string }; identity: Identity; providerName: string },
): Promise<void> {
  const { provider, issuer, subject, label } = identity;
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const data = { id: newId(), userId: user.id, provider, issuer, subject, label, createdAt: at, lastUsedAt: at };
    await tx.connectedSignIn.create({ data });
    await recordEvent(tx, txCtx, {
      action: "sign_in.connect",
      summary: `connected the ${providerName} account ${label} with ${user.name}`,
      target: { kind: "user", id: user.id, name: user.name },
      concerns: user.id,
      data: describeIdentity(identity),
    });
  });
}

/** Disconnects an account; `conflict` when no other sign-in would be left (`passwords`: whether they count). */
export async function disconnectSignIn(
  ctx: Ctx,
  { id, passwords, issuers }: { id: string; passwords: boolean; issuers: string[] },
): Promise<void> {
  const actor = requireBrowser(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const connection = await tx.connectedSignIn.findUnique({ where: { id }, include: { user: true } });
    if (connection === null || connection.userId !== actor.userId) {
      throw new AppError("not_found", `There is no connected sign-in ${id}.`);
    }
    const { user, label, provider, issuer, subject } = connection;
    const others = { userId: user.id, id: { not: id }, issuer: { in: issuers } };
    const hasPassword = passwords && user.passwordHash !== null;
    if (!hasPassword && (await tx.connectedSignIn.count({ where: others })) === 0) {
      throw new AppError("conflict", "This is your only sign-in method. Connect another account first.");
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
