import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query, type Sql, sqlOf } from "@/lib/db/sql";
import { forgetTrees, SyncSuperseded } from "../thread/serve-store";
import type { Collected } from "./collect-snapshot";
import { INDEX_VERSION } from "./index-skill";
import { dueAfterSync, type Job, usageColumns } from "./queue-sync";
import type { Commit, Identity, Usage } from "./source-reader";

type Result = {
  commit: Commit | "unchanged";
  identity: Identity | null;
  /** Null when the tree is the one of the last sync. */
  collected: Collected | null;
  usage: Usage;
};

const ENTRIES_AT_ONCE = 200;

/**
 * Finishes a sync whose entries and packs are stored: pins them to the commit, in batches, and then records the result. Throws
 * `SyncSuperseded` when the source was deleted, changed or queued again meanwhile.
 */
export async function storeSnapshot(ctx: Ctx, job: Job, result: Result): Promise<void> {
  const { commit, identity, collected, usage } = result;
  if (commit !== "unchanged") await pinEntries(ctx, job, commit.sha);
  await inTransaction(ctx, async (tx, txCtx) => {
    const source = await requireCurrent(txCtx, job);
    const now = ctx.now();
    const sha = commit === "unchanged" ? source.commit : commit.sha;
    await tx.catalogSource.update({
      where: { id: source.id },
      data: {
        state: "idle",
        error: null,
        errorCode: null,
        failures: 0,
        syncedAt: now,
        nextSyncAt: dueAfterSync(source, now),
        ...usageColumns(usage),
        ...(identity && { ...identity, identityCheckedAt: now, pendingRepository: null }),
        ...(commit !== "unchanged" && { commit: commit.sha, commitEtag: commit.etag }),
        ...(collected && {
          treeSha: collected.treeSha,
          treeEtag: collected.treeEtag,
          indexVersion: INDEX_VERSION,
          skipped: collected.skipped,
        }),
      },
    });
    await forgetTrees(sqlOf(txCtx), source.id);
    const { added, changed, removed } = collected ?? { added: 0, changed: 0, removed: 0 };
    if (added + changed + removed > 0 || source.syncedAt === null || source.failures > 0) {
      await recordEvent(tx, txCtx, {
        action: "catalog_source.synced",
        summary: `synced the catalog source ${source.label}: ${added} new, ${changed} changed, ${removed} gone`,
        target: { kind: "catalog_source", id: source.id, name: source.label },
        data: {
          ...{ added, changed, removed },
          ...{ commit: sha, skipped: collected?.skippedCount ?? 0, requests: usage.requests },
        },
      });
    }
  });
}

async function requireCurrent({ db }: Ctx, { sourceId, jobId }: Job) {
  const source = await db.catalogSource.findUnique({ where: { id: sourceId } });
  if (source === null || source.jobId !== jobId || source.state !== "running") throw new SyncSuperseded();
  return source;
}

const NEXT_FOLDER = query<{ folder: string }>(
  `SELECT "folder" FROM "CatalogEntry" WHERE "sourceId" = ? AND "folder" >= ? ORDER BY "folder" LIMIT 1 OFFSET ${ENTRIES_AT_ONCE}`,
);
const PIN = query(
  `UPDATE "CatalogEntry" SET "commit" = ?
   WHERE "sourceId" = ? AND "folder" >= ? AND (CAST(? AS text) IS NULL OR "folder" < ?) AND "state" = 'present' AND "commit" <> ?`,
);

/** Files of an entry are read at its commit; an older one may vanish after a force push. */
async function pinEntries(ctx: Ctx, job: Job, commit: string): Promise<void> {
  for (let from: string | null = ""; from !== null; ) {
    const first: string = from;
    from = await inTransaction(ctx, async (_tx, txCtx) => {
      await requireCurrent(txCtx, job);
      return pinFrom(sqlOf(txCtx), job.sourceId, first, commit);
    });
  }
}

async function pinFrom(sql: Sql, sourceId: string, from: string, commit: string): Promise<string | null> {
  const next = (await sql.get(NEXT_FOLDER, sourceId, from))?.folder ?? null;
  await sql.run(PIN, commit, sourceId, from, next, next, commit);
  return next;
}
