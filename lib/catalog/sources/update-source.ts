import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { hostOfGit, readGitAddress } from "../git/git-address";
import { githubHosts } from "../github/hosts";
import { nextSyncAt, notifySyncQueued, requeueSync } from "../sync/queue-sync";
import { assertOpenAddress, assertUnusedLocation } from "./create-source";
import { parseSourceAddress, type SourcePlace } from "./parse-source-address";
import {
  type CatalogSource,
  type ConfirmRepositoryInput,
  PendingRepository,
  SourceKind,
  type UpdateSourceInput,
} from "./schema";
import { dropCredential, dropWebhook, emptySource, getSource, NEVER_SYNCED, requireSource } from "./sources";

type Row = Awaited<ReturnType<typeof requireSource>>;

/**
 * Changes a source. A new repository, ref or folder deletes its entries and queues a sync; disabling hides its entries and ends
 * its sync at the next step.
 * Installed skills stay in every case.
 */
export async function updateSource(ctx: Ctx, input: UpdateSourceInput & { id: string }): Promise<CatalogSource> {
  requireScope(ctx.actor, "admin");
  const { id, ...patch } = input;
  const before = await requireSource(ctx, id);
  let isMoved = isOtherPlace(locationAfter(before, patch), before);
  if (isMoved) {
    await assertOpenAddress(locationAfter(before, patch));
    await assertUnusedLocation(ctx, locationAfter(before, patch), id);
    await emptySource(ctx, id);
  }
  const source = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSource(txCtx, id);
    const place = locationAfter(row, patch);
    isMoved = isOtherPlace(place, row);
    if (isMoved) await assertUnusedLocation(txCtx, place, id);
    const next = {
      label: patch.label ?? row.label,
      enabled: patch.enabled ?? row.enabled,
      intervalMinutes: patch.intervalMinutes ?? row.intervalMinutes,
      ...place,
      ...(patch.hostKeys === null && { hostKeys: null }),
    };
    const changes = Object.entries(next).filter(([key, value]) => row[key as keyof typeof next] !== value);
    if (changes.length === 0) return getSource(txCtx, id);
    const dueAt = next.enabled && row.pendingRepository === null ? dueAfter(row, next, ctx.now()) : null;
    const isStopped = row.enabled && !next.enabled && (row.state === "queued" || row.state === "running");
    await tx.catalogSource.update({
      where: { id },
      data: { ...next, ...(isStopped && { state: "idle", jobId: null }), nextSyncAt: dueAt, updatedAt: ctx.now() },
    });
    if (isMoved) await resetSource(tx, row, place, ctx.now());
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
  if (isMoved) notifySyncQueued();
  return source;
}

const LOCATION_KEYS = ["kind", "repoUrl", "owner", "repo", "ref", "folder"] as const;

function isOtherPlace(place: SourcePlace, row: Row): boolean {
  return LOCATION_KEYS.some((key) => place[key] !== row[key]);
}

function locationAfter(row: Row, patch: UpdateSourceInput): SourcePlace {
  const repoUrl = patch.repoUrl ?? row.repoUrl;
  const isSameUrl = repoUrl === row.repoUrl;
  // A new address replaces ref and folder too.
  const ref = patch.ref === undefined && isSameUrl ? row.ref : patch.ref;
  const folder = patch.folder === undefined && isSameUrl ? row.folder : patch.folder;
  // The kind of a new address follows from it; that of the same one stays.
  const kind = patch.kind ?? (isSameUrl ? SourceKind.parse(row.kind) : null);
  return parseSourceAddress({ repoUrl, ref, folder, kind }, githubHosts());
}

function dueAfter(row: Row, next: { enabled: boolean; intervalMinutes: number }, now: Date): Date | null {
  if (row.enabled && row.intervalMinutes === next.intervalMinutes) return row.nextSyncAt;
  const planned = nextSyncAt(next, row.syncedAt ?? now);
  return planned !== null && planned < now ? now : planned;
}

/** Deletes the entries and the pinned state of a source, and queues a sync. */
async function resetSource(tx: Tx, row: Row, place: SourcePlace, now: Date): Promise<void> {
  await tx.catalogEntry.deleteMany({ where: { sourceId: row.id } });
  await tx.catalogPack.deleteMany({ where: { sourceId: row.id } });
  const isOtherRepository = place.repoUrl !== row.repoUrl;
  // A credential, and the keys of a host, belong to that host.
  const isOtherHost = place.kind !== row.kind || hostOf(place.repoUrl) !== hostOf(row.repoUrl);
  if (isOtherHost) {
    await dropCredential(tx, row.id);
    await dropWebhook(tx, row.id);
  }
  const pins = isOtherRepository
    ? {
        ...(isOtherHost && { hostKeys: null }),
        repositoryId: null,
        pendingRepository: null,
        defaultBranch: null,
        identityCheckedAt: null,
        isPrivate: false,
      }
    : {};
  const noError = { failures: 0, error: null, errorCode: null, skipped: "[]" };
  await tx.catalogSource.update({ where: { id: row.id }, data: { ...pins, ...NEVER_SYNCED, ...noError } });
  await requeueSync(tx, row.id, now);
}

function hostOf(repoUrl: string): string {
  const address = readGitAddress(repoUrl);
  return address === null ? new URL(repoUrl).origin : `${address.scheme} ${hostOfGit(address)}`;
}

/** Accepts the repository that now has a source's name; `conflict` when none is pending or its id differs. */
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
      throw new AppError(
        "conflict",
        `The repository to confirm has the id ${pending.id}, not ${input.repositoryId}. Reload the source and try again.`,
      );
    }
    const kind = SourceKind.parse(row.kind);
    const { origin, protocol } = new URL(row.repoUrl);
    // Names of other hosts than GitHub begin with the host.
    const repoUrl = kind === "github" ? `${origin}/${pending.fullName}` : `${protocol}//${pending.fullName}`;
    const place = parseSourceAddress({ repoUrl, ref: row.ref, folder: row.folder, kind }, githubHosts());
    const pins = { repositoryId: pending.id, pendingRepository: null, identityCheckedAt: null, commitEtag: null };
    const noError = { failures: 0, error: null, errorCode: null };
    await tx.catalogSource.update({
      where: { id: row.id },
      data: { ...place, ...pins, ...noError, updatedAt: ctx.now() },
    });
    await requeueSync(tx, row.id, ctx.now());
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
  notifySyncQueued();
  return source;
}
