import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { Identity } from "@/lib/policy/admit-identity";
import { describeIdentity } from "./record-provider-failure";

/**
 * Connects an account elsewhere with the signed-in person, whatever its email address: they have shown that both are theirs.
 * Only a browser may. `conflict` when it is somebody else's sign-in; connecting one's own once more changes nothing.
 */
export async function connectSignIn(
  ctx: Ctx,
  { identity, providerName }: { identity: Identity; providerName: string },
): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user") throw new AppError("forbidden", "Only a signed-in browser may call this, not a token.");
  const { issuer, subject } = identity;
  await inTransaction(ctx, async (tx, txCtx) => {
    const known = await tx.connectedSignIn.findUnique({ where: { issuer_subject: { issuer, subject } } });
    if (known?.userId === actor.userId) return;
    if (known !== null) throw new AppError("conflict", "Another person here signs in with this account.");
    await addConnection(txCtx, { user: { id: actor.userId, name: actor.name }, identity, providerName });
  });
}

/** The row and its event, for verbs that have made sure that the identity is this person's. */
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
