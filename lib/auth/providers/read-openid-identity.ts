import { z } from "zod";
import { Email } from "@/lib/auth/schema";
import type { Identity } from "@/lib/policy/admit-identity";
import type { Provider } from "./read-providers";

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().optional().catch(undefined),
  // Some providers say it as text, against the specification.
  email_verified: z
    .union([z.boolean(), z.literal("true").transform(() => true)])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  hd: z.string().optional().catch(undefined),
});

const Groups = z.union([z.array(z.string()), z.string().transform((text) => [text])]).catch([]);

/**
 * Whom the claims of an id token (OpenID Connect Core 2 and 5.1) speak of. Google answers for an address only when it is
 * Gmail’s or belongs to an organisation of Google’s (`hd`): anybody can make a Google account with an address they had once.
 */
export function readOpenIdIdentity(
  provider: Provider,
  given: { claims: Record<string, unknown>; groupsClaim: string | null },
): Identity {
  const claims = Claims.parse(given.claims);
  const { iss, sub, name, preferred_username } = claims;
  if (iss.replace(/\/+$/, "") !== provider.issuer) throw new Error(`unexpected issuer, got: ${iss}`);
  const email = claims.email_verified === true ? (Email.safeParse(claims.email).data ?? null) : null;
  const domain = email?.slice(email.lastIndexOf("@") + 1) ?? null;
  const isAnsweredFor = provider.id !== "google" || domain === "gmail.com" || claims.hd?.toLowerCase() === domain;
  const label = claims.email ?? preferred_username ?? sub;
  return {
    provider: provider.id,
    issuer: provider.issuer,
    subject: sub,
    label,
    name: name ?? preferred_username ?? label,
    email: isAnsweredFor ? email : null,
    domain: isAnsweredFor ? domain : null,
    organisations: [],
    groups: given.groupsClaim === null ? [] : Groups.parse(given.claims[given.groupsClaim]),
  };
}
