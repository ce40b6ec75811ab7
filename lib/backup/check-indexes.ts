import { checkAuditIndex } from "@/lib/audit/index/check-index";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { recordEvent } from "@/lib/audit/record-event";
import { emptyIndex } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { checkOfferRevision, rebuildOfferRevision } from "@/lib/db/offer-revision";
import { checkCatalogIndex, rebuildCatalogIndex } from "@/lib/db/rebuild-catalog-index";
import { type Sql, sqlOf } from "@/lib/db/sql";

export const INDEXES = ["catalog", "audit", "offers"] as const;
export type IndexName = (typeof INDEXES)[number];
export type IndexProblem = { index: IndexName; problem: string };

type Index = {
  title: string;
  check(ctx: Ctx, options: { every: boolean }): Promise<string | null>;
  rebuild(sql: Sql): Promise<void>;
};

/** Tables that triggers and jobs derive from others; `lib/backup/move-to-postgres.ts` does not copy them. */
const TABLE: Record<IndexName, Index> = {
  catalog: {
    title: "the index of the catalog",
    check: (ctx, options) => checkCatalogIndex(sqlOf(ctx), options),
    rebuild: (sql) => rebuildCatalogIndex(sql, { atLeast: secondsNow() }),
  },
  audit: { title: "the index of the audit log", check: checkAuditIndex, rebuild: emptyIndex },
  offers: {
    title: "the revision of what agents are offered",
    check: (ctx) => checkOfferRevision(sqlOf(ctx)),
    rebuild: (sql) => rebuildOfferRevision(sql, { atLeast: secondsNow() }),
  },
};

/** Above every number that a lost revision had, since processes cache answers under it: fewer changes than one a second. */
function secondsNow(): number {
  return Math.floor(Date.now() / 1_000);
}

/**
 * Finds indexes that do not match their source tables. Reads keys, counts and a sample, which is fast enough for each
 * start; `every` compares all words of the catalog and all audit events, which may take minutes.
 */
export async function checkIndexes(ctx: Ctx, { every = false } = {}): Promise<IndexProblem[]> {
  const misfits: IndexProblem[] = [];
  for (const index of INDEXES) {
    const problem = await TABLE[index].check(ctx, { every }).catch((error: unknown) => unreadable(index, error));
    if (problem !== null) misfits.push({ index, problem });
  }
  return misfits;
}

function unreadable(index: IndexName, error: unknown): string {
  return `${TABLE[index].title} cannot be read (${error instanceof Error ? error.message : String(error)})`;
}

/**
 * Rebuilds indexes, each in one transaction with its event. The audit index, which may take minutes, is only emptied: a
 * background job fills it while searches read the events directly, or `wait` fills it here.
 */
export async function rebuildIndexes(
  ctx: Ctx,
  reasons: readonly { index: IndexName; problem: string | null }[],
  { wait = false } = {},
): Promise<void> {
  for (const { index, problem } of reasons) {
    const { title, rebuild } = TABLE[index];
    await inTransaction(ctx, async (tx, txCtx) => {
      await rebuild(ctx.database.writeSql);
      await recordEvent(tx, txCtx, {
        action: "index.rebuild",
        summary: `rebuilt ${title}${problem === null ? "" : `: ${problem}`}`,
        target: { kind: "index", id: index, name: title },
        data: { index, problem },
      });
    });
  }
  if (wait) await indexAllEvents(ctx);
}

/** At the start of the server: rebuilds the indexes with problems and returns them. */
export async function repairIndexes(ctx: Ctx): Promise<IndexProblem[]> {
  const misfits = await checkIndexes(ctx);
  await rebuildIndexes(ctx, misfits);
  return misfits;
}
