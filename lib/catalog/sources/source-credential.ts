import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { loadSealingKey, seal, unseal } from "@/lib/core/seal";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { SyncFailure } from "../sync-failure";
import { type CredentialInput, type CredentialStatus, SourceCredential } from "./schema";
import { credentialKey, dropCredential, requireSource } from "./sources";

/** Which kind of credential a source has, since when and by whom; never the credential itself. */
export async function getCredentialStatus(ctx: Ctx, sourceId: string): Promise<CredentialStatus> {
  requireScope(ctx.actor, "admin");
  await requireSource(ctx, sourceId);
  const row = await ctx.db.secret.findUnique({ where: { key: credentialKey(sourceId) } });
  return { isSet: row !== null, setAt: row?.updatedAt.toISOString() ?? null, setBy: row?.updatedBy ?? null };
}

/** Stores the credential of a source, sealed. It is sent to the host of the source only and never shown again. */
export async function setCredential(ctx: Ctx, id: string, given: CredentialInput): Promise<CredentialStatus> {
  requireScope(ctx.actor, "admin");
  assertTakesCredential(await requireSource(ctx, id));
  const sealed = await sealCredential(ctx, id, given);
  return inTransaction(ctx, async (tx, txCtx) => {
    const source = await requireSource(txCtx, id);
    await storeCredential(tx, txCtx, id, sealed);
    await recordEvent(tx, txCtx, {
      action: "catalog_source.credential_set",
      summary: `set the credential of the catalog source ${source.label}`,
      target: { kind: "catalog_source", id, name: source.label },
      data: { credential: credentialOf(given).kind },
    });
    return getCredentialStatus(txCtx, id);
  });
}

/** Deletes the credential of a source, if it has one. */
export async function clearCredential(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const source = await requireSource(txCtx, id);
    if (!(await dropCredential(tx, id))) return;
    await recordEvent(tx, txCtx, {
      action: "catalog_source.credential_clear",
      summary: `removed the credential of the catalog source ${source.label}`,
      target: { kind: "catalog_source", id, name: source.label },
    });
  });
}

/** Throws `invalid` for GitHub, which has one token for all its sources. */
export function assertTakesCredential({ kind }: { kind: string }): void {
  if (kind !== "github") return;
  const message = "Sources on GitHub use the GitHub token of the catalog. Set that token instead.";
  throw new AppError("invalid", message, { errors: [{ path: "credential", message }] });
}

/** Encrypts a credential for one source; another source cannot decrypt it. Call it before the transaction. */
export async function sealCredential(ctx: Ctx, id: string, input: CredentialInput): Promise<Uint8Array<ArrayBuffer>> {
  return seal(await loadSealingKey(ctx.database.keyFolder), credentialKey(id), JSON.stringify(credentialOf(input)));
}

export async function storeCredential(tx: Tx, ctx: Ctx, id: string, sealed: Uint8Array<ArrayBuffer>): Promise<void> {
  const { name } = requireScope(ctx.actor, "admin");
  const data = { sealed, updatedAt: ctx.now(), updatedBy: name };
  const key = credentialKey(id);
  await tx.secret.upsert({ where: { key }, create: { key, ...data }, update: data });
}

/** The credential of a source, for this server's own requests; null without one. Throws `token_refused` when the key file was replaced. */
export async function readCredential(ctx: Ctx, id: string): Promise<SourceCredential | null> {
  const key = credentialKey(id);
  const row = await ctx.db.secret.findUnique({ where: { key } });
  if (row === null) return null;
  const text = unseal(await loadSealingKey(ctx.database.keyFolder), key, row.sealed);
  if (text !== null) return SourceCredential.parse(JSON.parse(text));
  throw new SyncFailure("token_refused", "The stored credential was sealed with another key file; set it again.");
}

export function credentialOf(input: CredentialInput): SourceCredential {
  return "privateKey" in input
    ? { kind: "key", privateKey: input.privateKey }
    : { kind: "token", token: input.token, username: input.username ?? null };
}
