import { AppError } from "@/lib/core/errors";
import type { Tx } from "@/lib/db/context";
import type { Grants } from "@/lib/policy/grants/schema";
import { findMissingCredential } from "@/lib/settings/credentials/find-missing";

/** Nobody signs for a credential that does not exist: `invalid`, with its place in the grants. */
export async function assertCredentialsStored(db: Tx, grants: Grants): Promise<void> {
  const missing = await findMissingCredential(db, grants);
  if (missing === null) return;
  const message = `there is no credential ${grants.credentials?.[missing]?.credential}`;
  const path = `grants.credentials.${missing}.credential`;
  throw new AppError("invalid", `These grants cannot be given: ${message}.`, { errors: [{ path, message }] });
}
