import { type RecordedRun, recordRunEvent } from "@/lib/audit/record-run-event";
import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx, Tx } from "@/lib/db/context";
import { Grants } from "@/lib/policy/grants/schema";
import { findMissingCredential } from "@/lib/settings/credentials/credentials";
import type { Lease } from "@/lib/worker/protocol";
import { notStored, openSecrets } from "./open-secrets";
import { rememberSecrets } from "./redact-report";

type GrantedRun = RecordedRun & { version: { grants: string | null } };

/**
 * The values of the credentials that a run is given, as it is handed to a worker: nothing but the answer to that worker
 * holds them. Records that the run got them, by name. `missing` says why it cannot start (`credential_missing`).
 */
export async function unsealSecrets(
  tx: Tx,
  ctx: Ctx,
  run: GrantedRun,
): Promise<{ secrets: Lease["secrets"]; missing: string | null }> {
  const grants = keepParsed(Grants, run.version.grants ?? "{}");
  const opened = await openSecrets(tx, ctx, grants);
  rememberSecrets(run.id, opened.secrets);
  if (opened.missing !== null || opened.secrets.length === 0) return opened;
  const names = [...new Set(opened.secrets.map(({ credential }) => credential))];
  await tx.credential.updateMany({ where: { name: { in: names } }, data: { lastUsedAt: ctx.now() } });
  await recordRunEvent(tx, ctx, run, {
    action: "credential.use",
    summary: `handed ${run.skill.name} the ${names.length === 1 ? "credential" : "credentials"} ${names.join(", ")}`,
    data: { credentials: grants.credentials },
  });
  return opened;
}

/** Refuses a run when it is asked for and a credential it is given is not stored: `credential_missing`. */
export async function assertCredentialsStored(ctx: Ctx, grants: Grants): Promise<void> {
  const missing = await findMissingCredential(ctx.db, grants);
  const name = missing === null ? undefined : grants.credentials?.[missing]?.credential;
  if (name !== undefined) throw new AppError("credential_missing", notStored(name), { rule: "credential_missing" });
}
