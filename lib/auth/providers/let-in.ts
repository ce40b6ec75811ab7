import { recordEvent } from "@/lib/audit/record-event";
import { getUserRow } from "@/lib/auth/get-user";
import { PersonName } from "@/lib/auth/schema";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import type { User } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import type { Admission, Identity } from "@/lib/policy/admit-identity";
import { addConnection } from "./connect-sign-in";

type Admitted = Exclude<Admission, { kind: "refuse" }>;
type Entry<A extends Admitted = Admitted> = { admission: A; identity: Identity; providerName: string };

/** Does what an admission says, and answers whose session may start: it is active and connected from then on. */
export async function letIn(ctx: Ctx, { admission, identity, providerName }: Entry): Promise<User> {
  if (admission.kind === "join") return join(ctx, { admission, identity, providerName });
  const user = await getUserRow(ctx, admission.userId);
  if (admission.kind === "enter") return user;
  if (admission.kind === "accept") await accept(ctx, user, providerName);
  await addConnection(ctx, { user, identity, providerName });
  return user;
}

/** The role is the one that the invitation names; its link stops working. */
async function accept(ctx: Ctx, user: User, providerName: string): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    await tx.oneTimeToken.updateMany({ where: { userId: user.id, usedAt: null }, data: { usedAt: at } });
    await tx.user.update({ where: { id: user.id }, data: { state: "active", updatedAt: at } });
    await recordJoin(txCtx, user, `accepted the invitation of ${user.name} by signing in with ${providerName}`);
  });
}

/** A new person is always a user: roles are given here, never by a provider. */
async function join(
  ctx: Ctx,
  { admission, identity, providerName }: Entry<Admitted & { kind: "join" }>,
): Promise<User> {
  const { email } = identity;
  if (email === null) throw new Error("Nobody joins without a verified address.");
  return inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const name = PersonName.safeParse(identity.name.slice(0, 100)).data ?? email.slice(0, 100);
    const user = await tx.user.create({
      data: { id: newId(), email, name, role: "user", state: "active", createdAt: at, updatedAt: at },
    });
    await recordJoin(txCtx, user, `joined as ${name} by signing in with ${providerName}, by ${admission.by}`);
    await addConnection(txCtx, { user, identity, providerName });
    return user;
  });
}

function recordJoin(ctx: Ctx, user: User, summary: string): Promise<void> {
  return inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "user.join",
      summary,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    }),
  );
}
