import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { forgetTrees } from "../thread/serve-store";

/** What a source pins of its last sync, before its first one. */
export const NEVER_SYNCED = {
  commit: null,
  treeSha: null,
  commitEtag: null,
  treeEtag: null,
  syncedAt: null,
  indexVersion: 0,
};

const ENTRIES_AT_ONCE = 100;
const DELETE_SOME = query(
  `DELETE FROM "CatalogEntry" WHERE "id" IN (SELECT "id" FROM "CatalogEntry" WHERE "sourceId" = ? LIMIT ${ENTRIES_AT_ONCE})`,
);

/**
 * Ends the sync of a source and deletes its entries, in short transactions: thousands of entries and their search index would stop the
 * process. When that is interrupted, the next sync reads the source as if for the first time.
 */
export async function emptySource(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.catalogSource.updateMany({ where: { id }, data: { state: "idle", jobId: null, ...NEVER_SYNCED } });
    await forgetTrees(sqlOf(txCtx), id);
  });
  for (;;) {
    const deleted = await inTransaction(ctx, (_tx, txCtx) => sqlOf(txCtx).run(DELETE_SOME, id));
    if (deleted < ENTRIES_AT_ONCE) return;
  }
}
