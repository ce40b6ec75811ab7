import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { getEnv } from "@/lib/core/env";
import { loadSealingKey, seal, unseal } from "@/lib/core/seal";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { NewWebhook, Webhook } from "../sources/schema";
import { dropWebhook, requireSource, webhookKey } from "../sources/sources";

/** Whether the host of a source may notify this server, and at which address; never the secret. For admins. */
export async function getWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  requireScope(ctx.actor, "admin");
  await requireSource(ctx, id);
  const row = await ctx.db.secret.findUnique({ where: { key: webhookKey(id) } });
  const url = `${getEnv().publicUrl}/api/catalog-hooks/${id}`;
  return { isSet: row !== null, url, setAt: row?.updatedAt.toISOString() ?? null, setBy: row?.updatedBy ?? null };
}

/** Makes the secret that the host of a source proves in its notifications, in place of a former one. It is shown only here. */
export async function createWebhook(ctx: Ctx, id: string): Promise<NewWebhook> {
  const { name } = requireScope(ctx.actor, "admin");
  const key = webhookKey(id);
  const secret = randomBytes(24).toString("base64url");
  const sealed = seal(await loadSealingKey(ctx.database.keyFolder), key, secret);
  return inTransaction(ctx, async (tx, txCtx) => {
    const source = await requireSource(txCtx, id);
    const data = { sealed, updatedAt: txCtx.now(), updatedBy: name };
    await tx.secret.upsert({ where: { key }, create: { key, ...data }, update: data });
    await recordEvent(tx, txCtx, {
      action: "catalog_source.webhook_set",
      summary: `made a new secret for the webhook of the catalog source ${source.label}`,
      target: { kind: "catalog_source", id, name: source.label },
    });
    return { ...(await getWebhook(txCtx, id)), secret };
  });
}

/** Refuses notifications of a source from now on. */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const source = await requireSource(txCtx, id);
    if (!(await dropWebhook(tx, id))) return;
    await recordEvent(tx, txCtx, {
      action: "catalog_source.webhook_clear",
      summary: `removed the webhook of the catalog source ${source.label}`,
      target: { kind: "catalog_source", id, name: source.label },
    });
  });
}

/** The secret of a source's webhook; null without one, or when the key file was replaced. */
export async function readWebhookSecret(ctx: Ctx, id: string): Promise<string | null> {
  const row = await ctx.db.secret.findUnique({ where: { key: webhookKey(id) } });
  return row === null ? null : unseal(await loadSealingKey(ctx.database.keyFolder), webhookKey(id), row.sealed);
}
