import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { githubHosts } from "../github/hosts";
import { parseRepositoryUrl } from "../github/parse-repository-url";
import { queueAnew } from "../sync/queue-sync";
import { nextSyncAt } from "../sync/sync-columns";
import { wakeSyncs } from "../sync/wake-syncs";
import { assertNewPlace } from "./assert-new-place";
import { getSource } from "./get-source";
import type { CatalogSource, CreateSourceInput } from "./schema";

/**
 * Adds a source. The repository is not asked: whether it is there shows at its first sync, which is queued at once with
 * `sync`, else due after the interval. `invalid` for an address that is not GitHub's, `conflict` for one that is a source.
 */
export async function createSource(ctx: Ctx, input: CreateSourceInput): Promise<CatalogSource> {
  const actor = requireScope(ctx.actor, "admin");
  const place = parseRepositoryUrl(input, githubHosts());
  const source = await inTransaction(ctx, async (tx, txCtx) => {
    await assertNewPlace(txCtx, place);
    const { label, enabled, intervalMinutes } = input;
    const now = ctx.now();
    const dueAt = nextSyncAt(input, now);
    const times = { createdAt: now, updatedAt: now, nextSyncAt: dueAt };
    const row = await tx.catalogSource.create({
      data: { id: newId(), label, enabled, intervalMinutes, ...place, ...times, createdBy: actor.userId },
    });
    if (input.sync) await queueAnew(tx, row.id, now);
    await recordEvent(tx, txCtx, {
      action: "catalog_source.create",
      summary: `added the catalog source ${label}`,
      target: { kind: "catalog_source", id: row.id, name: label },
      data: { ...place, enabled, intervalMinutes },
    });
    return getSource(txCtx, row.id);
  });
  if (input.sync) wakeSyncs();
  return source;
}
