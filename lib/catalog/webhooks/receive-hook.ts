import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { SourceKind } from "../sources/schema";
import { requireSource } from "../sources/sources";
import { notifySyncQueued, queueSync } from "../sync/queue-sync";
import { isAuthenticHook } from "./authenticate-hook";
import { readWebhookSecret } from "./webhook";

type Notification = { id: string; headers: Headers; bytes: Uint8Array };

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
