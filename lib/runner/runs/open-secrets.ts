import type { Ctx, Tx } from "@/lib/db/context";
import type { Grants } from "@/lib/policy/grants/schema";
import { unsealCredential } from "@/lib/settings/credentials/credentials";
import type { LeaseSecret } from "@/lib/worker/protocol";

/**
 * The values of granted credentials as they are now, and a sentence on the first that cannot be had. For handing over and
 * for keeping them out of what is stored, for nothing else.
 */
export async function openSecrets(
  db: Tx,
  ctx: Ctx,
  { credentials = [] }: Grants,
): Promise<{ secrets: LeaseSecret[]; missing: string | null }> {
  if (credentials.length === 0) return { secrets: [], missing: null };
  const rows = await db.credential.findMany({ where: { name: { in: credentials.map((grant) => grant.credential) } } });
  const secrets: LeaseSecret[] = [];
  let missing: string | null = null;
  for (const { as, name, credential } of credentials) {
    const row = rows.find((candidate) => candidate.name === credential);
    const value = row ? await unsealCredential(ctx, row) : null;
    if (value !== null) secrets.push({ as, name, value, credential });
    else missing ??= row ? sealedOtherwise(credential) : notStored(credential);
  }
  return { secrets, missing };
}

export function notStored(credential: string): string {
  return `The credential ${credential}, which this skill is given, is not stored (any more): it does not run without it.`;
}

function sealedOtherwise(credential: string): string {
  return `The credential ${credential} was sealed with another key file; an admin has to give it its value again.`;
}
