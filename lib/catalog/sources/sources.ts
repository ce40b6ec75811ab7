import { z } from "zod";
import { listEvents } from "@/lib/audit/list-events";
import { recordEvent } from "@/lib/audit/record-event";
import type { AuditEvent } from "@/lib/audit/schema";
import { AppError } from "@/lib/core/errors";
import type { Page, PageQuery } from "@/lib/core/schema";
import { type Ctx, inTransaction, type Tx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { CatalogSource as Row } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { repositoryWebUrl } from "../entry-origin";
import { fingerprintsOf } from "../git/ssh-command";
import { notifySyncQueued, queueSync } from "../sync/queue-sync";
import { forgetTrees } from "../thread/serve-store";
import { CatalogSource, type SyncAnswer } from "./schema";

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

type Outage = CatalogSource["outages"][number];
type Source = { id: string; failures: number; syncedAt: Date | null };

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Pages of events that are read at most; what is older is left out. */
const MAX_PAGES = 10;

/** One source with the progress of its sync. */
export async function getSource(ctx: Ctx, id: string): Promise<CatalogSource> {
  requireScope(ctx.actor, "admin");
  const [source] = await presentSources(ctx, [await requireSource(ctx, id)]);
  if (!source) throw new Error("presenting one row gave none");
  return source;
}

const MAX_SKIPPED_SHOWN = 500;

/** All sources by label, each with its first 500 skipped folders; `getSource` returns all of them. */
export async function listSources(ctx: Ctx, { limit, cursor }: PageQuery): Promise<Page<CatalogSource>> {
  requireScope(ctx.actor, "admin");
  const after = cursor === undefined ? null : decodeCursor(z.object({ label: z.string(), id: z.string() }), cursor);
  const rows = await ctx.db.catalogSource.findMany({
    where: after ? { OR: [{ label: { gt: after.label } }, { label: after.label, id: { gt: after.id } }] } : {},
    orderBy: [{ label: "asc" }, { id: "asc" }],
    take: limit + 1,
  });
  const { items, nextCursor } = toPage(rows, limit, ({ label, id }) => ({ label, id }));
  const sources = await presentSources(ctx, items);
  return {
    items: sources.map((source) => ({ ...source, skipped: source.skipped.slice(0, MAX_SKIPPED_SHOWN) })),
    nextCursor,
  };
}

/** Formats sources for admins, with counts of their entries. */
export async function presentSources(ctx: Ctx, rows: Row[]): Promise<CatalogSource[]> {
  const where = { sourceId: { in: rows.map((row) => row.id) } };
  const [outages, states, blocked, packs, installs] = await Promise.all([
    listOutages(ctx, rows),
    ctx.db.catalogEntry.groupBy({ by: ["sourceId", "state"], where, _count: { _all: true } }),
    ctx.db.catalogEntry.groupBy({
      by: ["sourceId"],
      where: { ...where, state: "present", blockedCode: { not: null } },
      _count: { _all: true },
    }),
    ctx.db.catalogPack.groupBy({ by: ["sourceId"], where, _count: { _all: true } }),
    ctx.db.catalogInstall.groupBy({ by: ["sourceId"], where, _count: { _all: true } }),
  ]);
  const keys = new Map(rows.map((row) => [credentialKey(row.id), row.id]));
  const secrets = await ctx.db.secret.findMany({ where: { key: { in: [...keys.keys()] } }, select: { key: true } });
  const withCredential = new Set(secrets.map(({ key }) => keys.get(key)));
  const countOf = (groups: { sourceId: string | null; _count: { _all: number } }[], id: string) =>
    groups.find((group) => group.sourceId === id)?._count._all ?? 0;
  const inState = (state: string) => states.filter((group) => group.state === state);
  return rows.map((row) => {
    const skipped: unknown[] = JSON.parse(row.skipped);
    const { rateLimitLeft: left, pendingRepository } = row;
    const resetAt = row.rateLimitResetAt?.toISOString() ?? null;
    return CatalogSource.parse({
      ...row,
      hasCredential: withCredential.has(row.id),
      hostKeys: row.hostKeys === null ? [] : fingerprintsOf(row.hostKeys),
      pendingRepository: pendingRepository && JSON.parse(pendingRepository),
      rateLimit: left === null ? null : { limit: row.rateLimit, left, resetAt },
      syncedAt: row.syncedAt?.toISOString() ?? null,
      nextSyncAt: row.nextSyncAt?.toISOString() ?? null,
      skipped,
      skippedCount: skipped.length,
      outages: outages.get(row.id) ?? [],
      counts: {
        entries: countOf(inState("present"), row.id),
        removed: countOf(inState("removed"), row.id),
        blocked: countOf(blocked, row.id),
        packs: countOf(packs, row.id),
        installed: countOf(installs, row.id),
      },
      webUrl: repositoryWebUrl(row),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    });
  });
}

/** Name of the secret that holds the credential of a source. */
export function credentialKey(sourceId: string): string {
  return `catalog.source.${sourceId}`;
}

/** Deletes the credential of a source. Returns whether there was one. */
export async function dropCredential(tx: Tx, sourceId: string): Promise<boolean> {
  return (await tx.secret.deleteMany({ where: { key: credentialKey(sourceId) } })).count > 0;
}

/** Name of the secret that the host of a source proves in its notifications. */
export function webhookKey(sourceId: string): string {
  return `catalog.webhook.${sourceId}`;
}

/** Deletes the secret of a source's webhook. Returns whether there was one. */
export async function dropWebhook(tx: Tx, sourceId: string): Promise<boolean> {
  return (await tx.secret.deleteMany({ where: { key: webhookKey(sourceId) } })).count > 0;
}

/** The source with this id, or `not_found`. */
export async function requireSource(ctx: Ctx, id: string): Promise<Row> {
  const row = await ctx.db.catalogSource.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `No catalog source has the id ${id}.`);
  return row;
}

/** Removes a source and its entries. Installed skills and their provenance stay. */
export async function deleteSource(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await requireSource(ctx, id);
  await emptySource(ctx, id);
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSource(txCtx, id);
    const installed = await tx.catalogInstall.updateMany({
      where: { sourceId: id },
      data: { sourceId: null, entryId: null },
    });
    await tx.catalogSource.delete({ where: { id } });
    await dropCredential(tx, id);
    await dropWebhook(tx, id);
    await recordEvent(tx, txCtx, {
      action: "catalog_source.delete",
      summary: `removed the catalog source ${row.label}`,
      target: { kind: "catalog_source", id, name: row.label },
      data: { repoUrl: row.repoUrl, ref: row.ref, folder: row.folder, installedSkillsKept: installed.count },
    });
  });
}

/** Queues a sync now, also of a disabled source. Returns the job of a sync that is already queued or running. */
export async function syncSource(ctx: Ctx, id: string): Promise<SyncAnswer> {
  requireScope(ctx.actor, "admin");
  const jobId = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSource(txCtx, id);
    const job = await queueSync(tx, row, ctx.now());
    if (job !== row.jobId) {
      await recordEvent(tx, txCtx, {
        action: "catalog_source.sync",
        summary: `asked for a sync of the catalog source ${row.label}`,
        target: { kind: "catalog_source", id, name: row.label },
        data: { jobId: job },
      });
    }
    return job;
  });
  notifySyncQueued();
  return { jobId };
}

/**
 * The times of the last 30 days in which syncs failed, by source, the oldest first. The audit log has the first failure of an
 * outage and the sync that ended it. Empty for callers who may not read that log.
 */
async function listOutages(ctx: Ctx, sources: readonly Source[]): Promise<ReadonlyMap<string, Outage[]>> {
  const from = new Date(ctx.now().getTime() - DAYS * DAY_MS);
  const outages = new Map<string, Outage[]>();
  if (!hasScope(ctx.actor, "read")) return outages;
  const failed = await eventsOf(ctx, "catalog_source.failed", from);
  const [first] = failed;
  if (first === undefined) return outages;
  const synced = await eventsOf(ctx, "catalog_source.synced", new Date(first.at));
  for (const { at, action, target } of [...failed, ...synced].sort((a, b) => a.seq - b.seq)) {
    const known = outages.get(target?.id ?? "") ?? [];
    const open = known.find(({ to }) => to === null);
    if (action === "catalog_source.synced" && open) open.to = at;
    if (action === "catalog_source.failed" && open === undefined) {
      outages.set(target?.id ?? "", [...known, { from: at, to: null }]);
    }
  }
  for (const { id, failures, syncedAt } of sources) {
    const last = outages.get(id)?.at(-1);
    // An admin confirmed its repository, after which a sync without changes is no event.
    if (last?.to === null && failures === 0 && syncedAt !== null) last.to = syncedAt.toISOString();
  }
  return outages;
}

async function eventsOf(ctx: Ctx, action: string, from: Date): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await listEvents(ctx, { action, from: from.toISOString(), limit: 100, cursor });
    found.push(...page.items);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return found.reverse();
}

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
