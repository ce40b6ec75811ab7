import { recordEvent } from "@/lib/audit/record-event";
import { emailDigest } from "@/lib/auth/sessions/sign-in-throttle";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { Identity } from "@/lib/policy/admit-identity";
import type { Provider } from "./read-providers";
import type { ProviderSignInCode } from "./schema";

/** What an event keeps of an identity. The address of a stranger is kept as a digest only, like that of a failed sign-in. */
export function describeIdentity(identity: Identity): Record<string, unknown> {
  const { provider, issuer, subject, email } = identity;
  return { provider, issuer, subject, emailDigest: email === null ? null : emailDigest(email) };
}

/** Adds the event of a sign-in that failed before the provider had said who it is. */
export async function recordProviderFailure(
  ctx: Ctx,
  { provider, code }: { provider: Provider; code: ProviderSignInCode },
): Promise<void> {
  await inTransaction(ctx, (tx) =>
    recordEvent(tx, ctx, {
      action: "sign_in.fail",
      outcome: "refused",
      summary: `failed to sign in with ${provider.name}`,
      rule: code,
      data: { provider: provider.id, issuer: provider.issuer },
    }),
  );
}
