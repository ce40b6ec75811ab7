import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { CatalogSource as Row } from "@/lib/db/generated/client";
import { type CatalogSource, PendingRepository, SkippedFolder, SourceState, SyncErrorCode } from "./schema";

/** Sources as admins see them, with what their last good snapshot holds. */
export async function presentSources(ctx: Ctx, rows: Row[]): Promise<CatalogSource[]> {
  const where = { sourceId: { in: rows.map((row) => row.id) } };
  const [states, blocked, packs, installs] = await Promise.all([
    ctx.db.catalogEntry.groupBy({ by: ["sourceId", "state"], where, _count: { _all: true } }),
    ctx.db.catalogEntry.groupBy({
      by: ["sourceId"],
      where: { ...where, state: "present", blockedCode: { not: null } },
      _count: { _all: true },
    }),
    ctx.db.catalogPack.groupBy({ by: ["sourceId"], where, _count: { _all: true } }),
    ctx.db.catalogInstall.groupBy({ by: ["sourceId"], where, _count: { _all: true } }),
  ]);
  const countOf = (groups: { sourceId: string | null; _count: { _all: number } }[], id: string) =>
    groups.find((group) => group.sourceId === id)?._count._all ?? 0;
  return rows.map((row) => ({
    ...describeSource(row),
    counts: {
      entries: countOf(
        states.filter((group) => group.state === "present"),
        row.id,
      ),
      removed: countOf(
        states.filter((group) => group.state === "removed"),
        row.id,
      ),
      blocked: countOf(blocked, row.id),
      packs: countOf(packs, row.id),
      installed: countOf(installs, row.id),
    },
  }));
}

function describeSource(row: Row): Omit<CatalogSource, "counts"> {
  const skipped = parseJsonColumn(z.array(SkippedFolder), row.skipped);
  const pending = row.pendingRepository;
  const { rateLimitLeft: left } = row;
  const resetAt = row.rateLimitResetAt?.toISOString() ?? null;
  return {
    id: row.id,
    label: row.label,
    repoUrl: row.repoUrl,
    owner: row.owner,
    repo: row.repo,
    ref: row.ref,
    defaultBranch: row.defaultBranch,
    folder: row.folder,
    enabled: row.enabled,
    intervalMinutes: row.intervalMinutes,
    repositoryId: row.repositoryId,
    pendingRepository: pending === null ? null : parseJsonColumn(PendingRepository, pending),
    isPrivate: row.isPrivate,
    state: SourceState.parse(row.state),
    jobId: row.jobId,
    done: row.done,
    total: row.total,
    requests: row.requests,
    rawReads: row.rawReads,
    rateLimit: left === null ? null : { limit: row.rateLimit, left, resetAt },
    commit: row.commit,
    syncedAt: row.syncedAt?.toISOString() ?? null,
    nextSyncAt: row.nextSyncAt?.toISOString() ?? null,
    failures: row.failures,
    error: row.error,
    errorCode: row.errorCode === null ? null : SyncErrorCode.parse(row.errorCode),
    skipped,
    skippedCount: skipped.length,
    webUrl: row.repoUrl,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
