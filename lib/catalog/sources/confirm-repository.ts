import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { githubHosts } from "../github/hosts";
import { parseRepositoryUrl } from "../github/parse-repository-url";
import { queueAnew } from "../sync/queue-sync";
import { wakeSyncs } from "../sync/wake-syncs";
import { getSource } from "./get-source";
import { requireSource } from "./require-source";
import { type CatalogSource, type ConfirmRepositoryInput, PendingRepository } from "./schema";

/**
 * Accepts the repository that answers under a source's name now, by its numeric id, pins it and queues a sync. `conflict`
 * when none waits for it, or another one than the id says.
 */
export async function confirmRepository(
  ctx: Ctx,
  input: ConfirmRepositoryInput & { id: string },
): Promise<CatalogSource> {
  requireScope(ctx.actor, "admin");
  const source = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSource(txCtx, input.id);
    const pending = row.pendingRepository === null ? null : parseJsonColumn(PendingRepository, row.pendingRepository);
    if (pending === null) throw new AppError("conflict", `The source “${row.label}” has no repository to confirm.`);
    if (pending.id !== input.repositoryId) {
      throw new AppError("conflict", `The repository that waits has the id ${pending.id}, not ${input.repositoryId}.`);
    }
    const repoUrl = `${new URL(row.repoUrl).origin}/${pending.fullName}`;
    const place = parseRepositoryUrl({ repoUrl, ref: row.ref, folder: row.folder }, githubHosts());
    const pins = { repositoryId: pending.id, pendingRepository: null, identityCheckedAt: null, commitEtag: null };
    const noError = { failures: 0, error: null, errorCode: null };
    await tx.catalogSource.update({
      where: { id: row.id },
      data: { ...place, ...pins, ...noError, updatedAt: ctx.now() },
    });
    await queueAnew(tx, row.id, ctx.now());
    await recordEvent(tx, txCtx, {
      action: "catalog_source.confirm",
      summary: `confirmed ${pending.fullName} (id ${pending.id}) as the repository of the catalog source ${row.label}`,
      target: { kind: "catalog_source", id: row.id, name: row.label },
      data: {
        before: { repoUrl: row.repoUrl, repositoryId: row.repositoryId },
        after: { repoUrl: place.repoUrl, ...pending },
      },
    });
    return getSource(txCtx, row.id);
  });
  wakeSyncs();
  return source;
}
