import { recordEvent } from "@/lib/audit/record-event";
import { startSession } from "@/lib/auth/start-session";
import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { type AdmissionRefusal, admitIdentity, type Identity, type JoinRules } from "@/lib/policy/admit-identity";
import { letIn } from "./let-in";
import { describeIdentity } from "./record-provider-failure";

export type ProviderSignIn = { actor: Extract<PersonActor, { kind: "user" }> } | { refused: AdmissionRefusal };

/** Starts a session for whom a provider vouches for, when `admitIdentity` lets them in; what it refuses is an event as well. */
export async function signInByProvider(
  ctx: Ctx,
  { identity, providerName, rules }: { identity: Identity; providerName: string; rules: JoinRules },
): Promise<ProviderSignIn> {
  const { issuer, subject, email } = identity;
  return inTransaction(ctx, async (tx, txCtx) => {
    const connection = await tx.connectedSignIn.findUnique({
      where: { issuer_subject: { issuer, subject } },
      include: { user: true },
    });
    const connected = connection?.user ?? null;
    const sameEmail = email === null ? null : await tx.user.findUnique({ where: { email } });
    const admission = admitIdentity({ identity, connected, sameEmail, rules });
    if (admission.kind === "refuse") {
      const target = connected ?? sameEmail;
      await recordEvent(tx, txCtx, {
        action: "sign_in.fail",
        outcome: "refused",
        summary: `failed to sign in with ${providerName}`,
        rule: admission.code,
        ...(target ? { target: { kind: "user", id: target.id, name: target.name } } : {}),
        data: describeIdentity(identity),
      });
      return { refused: admission.code };
    }
    const user = await letIn(txCtx, { admission, identity, providerName });
    await tx.connectedSignIn.update({
      where: { issuer_subject: { issuer, subject } },
      data: { lastUsedAt: ctx.now(), label: identity.label },
    });
    return { actor: await startSession(txCtx, user, { by: providerName, data: describeIdentity(identity) }) };
  });
}
