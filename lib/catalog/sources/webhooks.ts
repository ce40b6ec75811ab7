import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { loadSealingKey, seal, unseal } from "@/lib/core/seal";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { notifySyncQueued, queueSync } from "../sync/queue-sync";
import { type NewWebhook, SourceKind, type Webhook } from "./schema";
import { dropWebhook, requireSource, webhookKey } from "./sources";

/** How a host proves that it sent a notification: an HMAC of the body, the secret in a header, or Basic authentication. */
type Method = { hmac: readonly string[] } | { header: string } | { basic: true };

/** Of programs that are written for this server. */
const SIGNED = { hmac: ["x-hub-signature-256"] };

/**
 * - GitHub: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 * - GitLab: https://docs.gitlab.com/user/project/integrations/webhooks/
 * - Gitea and Forgejo: https://docs.gitea.com/usage/webhooks
 * - Bitbucket Cloud: https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/
 * - Azure DevOps: https://learn.microsoft.com/en-us/azure/devops/service-hooks/services/webhooks
 */
const METHODS: Record<SourceKind, Method> = {
  github: { hmac: ["x-hub-signature-256"] },
  gitlab: { header: "x-gitlab-token" },
  gitea: { hmac: ["x-gitea-signature", "x-forgejo-signature", "x-hub-signature-256"] },
  bitbucket: { hmac: ["x-hub-signature"] },
  azure: { basic: true },
  git: SIGNED,
  clawhub: SIGNED,
  index: SIGNED,
  marketplace: SIGNED,
  skillgate: SIGNED,
};

type Notification = { id: string; headers: Headers; bytes: Uint8Array };

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

/**
 * Queues a sync of a source because its host says that something changed. The body is only authenticated and never read. While a
 * sync is running, another one becomes due. `unauthenticated`, with the same sentence, for a wrong secret and for an unknown source.
 */
export async function receiveHook(ctx: Ctx, { id, headers, bytes }: Notification): Promise<void> {
  const known = await ctx.db.catalogSource.findUnique({ where: { id }, select: { kind: true } });
  const secret = known === null ? null : await readWebhookSecret(ctx, id);
  if (known === null || secret === null || !isAuthenticHook(SourceKind.parse(known.kind), secret, { headers, bytes })) {
    throw new AppError(
      "unauthenticated",
      "The notification does not prove the secret of this webhook. Set it at the host.",
    );
  }
  const isQueued = await inTransaction(ctx, async (tx, txCtx) => {
    const source = await requireSource(txCtx, id);
    if (!source.enabled || source.pendingRepository !== null) return false;
    if (source.state === "running") {
      await tx.catalogSource.update({ where: { id }, data: { nextSyncAt: txCtx.now() } });
      return false;
    }
    const jobId = await queueSync(tx, source, txCtx.now());
    if (jobId === source.jobId) return false;
    await recordEvent(tx, txCtx, {
      action: "catalog_source.notified",
      summary: `queued a sync of the catalog source ${source.label}, whose host reported a change`,
      target: { kind: "catalog_source", id, name: source.label },
      data: { jobId },
    });
    return true;
  });
  if (isQueued) notifySyncQueued();
}

/** Whether a notification proves the secret of its source, in the way of the source's host. */
export function isAuthenticHook(
  kind: SourceKind,
  secret: string,
  { headers, bytes }: { headers: Headers; bytes: Uint8Array },
): boolean {
  const method = METHODS[kind];
  if ("header" in method) return isEqual(headers.get(method.header), secret);
  if ("basic" in method) return isEqual(passwordOf(headers.get("authorization")), secret);
  const expected = createHmac("sha256", secret).update(bytes).digest("hex");
  // Every signature that came must be right, so that a second header cannot replace a wrong first one.
  const given = method.hmac.map((name) => headers.get(name)).filter((value) => value !== null);
  return given.length > 0 && given.every((value) => isEqual(value.replace(/^sha256=/, ""), expected));
}

function passwordOf(authorization: string | null): string | null {
  const credentials = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "")?.[1];
  if (credentials === undefined) return null;
  const text = Buffer.from(credentials, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}

/** Compares in constant time, also texts of different lengths. */
function isEqual(given: string | null, expected: string): boolean {
  return given !== null && timingSafeEqual(Buffer.from(sha256Hex(given)), Buffer.from(sha256Hex(expected)));
}
