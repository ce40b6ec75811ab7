import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { githubHosts } from "../github/hosts";
import { parseRepositoryUrl, type RepositoryPlace } from "../github/parse-repository-url";
import { queueAnew } from "../sync/queue-sync";
import { nextSyncAt } from "../sync/sync-columns";
import { wakeSyncs } from "../sync/wake-syncs";
import { assertNewPlace } from "./assert-new-place";
import { getSource } from "./get-source";
import { requireSource } from "./require-source";
import type { CatalogSource, UpdateSourceInput } from "./schema";

type Row = Awaited<ReturnType<typeof requireSource>>;

/**
 * Changes a source; fields left out keep their value. Another repository, ref or folder makes it a new source: what it
 * showed goes, and a sync is queued. Switching it off hides what it shows; what is installed stays in every case.
 */
export async function updateSource(ctx: Ctx, input: UpdateSourceInput & { id: string }): Promise<CatalogSource> {
  requireScope(ctx.actor, "admin");
  const { id, ...patch } = input;
  let isMoved = false;
  const source = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSource(txCtx, id);
    const place = placeAfter(row, patch);
    isMoved = PLACE.some((key) => place[key] !== row[key]);
    if (isMoved) await assertNewPlace(txCtx, place, id);
    const next = {
      label: patch.label ?? row.label,
      enabled: patch.enabled ?? row.enabled,
      intervalMinutes: patch.intervalMinutes ?? row.intervalMinutes,
      ...place,
    };
    const changes = Object.entries(next).filter(([key, value]) => row[key as keyof typeof next] !== value);
    if (changes.length === 0) return getSource(txCtx, id);
    const dueAt = next.enabled && row.pendingRepository === null ? dueAfter(row, next, ctx.now()) : null;
    await tx.catalogSource.update({ where: { id }, data: { ...next, nextSyncAt: dueAt, updatedAt: ctx.now() } });
    if (isMoved) await startOver(tx, row, place, ctx.now());
    await recordEvent(tx, txCtx, {
      action: "catalog_source.update",
      summary: `changed ${changes.map(([key]) => key).join(", ")} of the catalog source ${next.label}`,
      target: { kind: "catalog_source", id, name: next.label },
      data: {
        before: Object.fromEntries(changes.map(([key]) => [key, row[key as keyof typeof next]])),
        after: Object.fromEntries(changes),
      },
    });
    return getSource(txCtx, id);
  });
  if (isMoved) wakeSyncs();
  return source;
}

const PLACE = ["repoUrl", "owner", "repo", "ref", "folder"] as const;

function placeAfter(row: Row, patch: UpdateSourceInput): RepositoryPlace {
  const repoUrl = patch.repoUrl ?? row.repoUrl;
  const isSameUrl = repoUrl === row.repoUrl;
  // A new address brings a ref and a folder of its own, or none.
  const ref = patch.ref === undefined && isSameUrl ? row.ref : patch.ref;
  const folder = patch.folder === undefined && isSameUrl ? row.folder : patch.folder;
  return parseRepositoryUrl({ repoUrl, ref, folder }, githubHosts());
}

function dueAfter(row: Row, next: { enabled: boolean; intervalMinutes: number }, now: Date): Date | null {
  if (row.enabled && row.intervalMinutes === next.intervalMinutes) return row.nextSyncAt;
  const planned = nextSyncAt(next, row.syncedAt ?? now);
  return planned !== null && planned < now ? now : planned;
}

/** Forgets all that was read and pinned. */
async function startOver(tx: Tx, row: Row, place: RepositoryPlace, now: Date): Promise<void> {
  await tx.catalogEntry.deleteMany({ where: { sourceId: row.id } });
  await tx.catalogPack.deleteMany({ where: { sourceId: row.id } });
  const isOtherRepository = place.repoUrl !== row.repoUrl;
  const pins = isOtherRepository
    ? { repositoryId: null, pendingRepository: null, defaultBranch: null, identityCheckedAt: null, isPrivate: false }
    : {};
  const nothing = { commit: null, treeSha: null, commitEtag: null, treeEtag: null, syncedAt: null, indexVersion: 0 };
  const noError = { failures: 0, error: null, errorCode: null, skipped: "[]" };
  await tx.catalogSource.update({ where: { id: row.id }, data: { ...pins, ...nothing, ...noError } });
  await queueAnew(tx, row.id, now);
}
