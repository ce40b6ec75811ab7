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
  /** Inside a transaction. */
  rebuild(sql: Sql): Promise<void>;
};

/** What triggers and jobs derive from other tables: `lib/backup/move-to-postgres.ts` leaves the same tables out of a move. */
const TABLE: Record<IndexName, Index> = {
  catalog: {
    title: "the index of the catalog",
    check: (ctx, options) => checkCatalogIndex(sqlOf(ctx), options),
    rebuild: (sql) => rebuildCatalogIndex(sql),
  },
  audit: { title: "the index of the audit", check: checkAuditIndex, rebuild: emptyIndex },
  offers: {
    title: "the revision of what agents are offered",
    check: (ctx) => checkOfferRevision(sqlOf(ctx)),
    rebuild: (sql) => rebuildOfferRevision(sql),
  },
};

/**
 * The indexes that do not fit what they are derived from. Reads keys, counts and a sample, so that a start can afford it;
 * `every` compares the words of every entry of the catalog, and the audit's index with every event, which may take minutes.
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
 * Builds indexes anew, each in one transaction with its event. The audit's is only emptied, since it may take minutes: a job
 * fills it in the background while searches read the events themselves, or `wait` does it before this returns.
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

/** At a start: rebuilds what does not fit, and answers what that was. */
export async function repairIndexes(ctx: Ctx): Promise<IndexProblem[]> {
  const misfits = await checkIndexes(ctx);
  await rebuildIndexes(ctx, misfits);
  return misfits;
}
