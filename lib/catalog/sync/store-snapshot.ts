import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Usage } from "../github/create-client";
import type { SkippedFolder } from "../sources/schema";
import type { Snapshot } from "./collect-snapshot";
import { INDEX_VERSION } from "./index-skill";
import { type Job, nextSyncAt, usageColumns } from "./queue-sync";
import type { Identity } from "./resolve-commit";

type Result = {
  commit: { sha: string; treeSha: string; etag: string | null } | "unchanged";
  identity: Identity | null;
  snapshot: Snapshot | null;
  usage: Usage;
};

const CHUNK = 200;
const MAX_SKIPPED = 20_000;

/** Stores a sync in one transaction; false when the source was deleted, changed or queued again meanwhile. */
export async function storeSnapshot(ctx: Ctx, job: Job, result: Result): Promise<boolean> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const source = await tx.catalogSource.findUnique({ where: { id: job.sourceId } });
    if (source === null || source.jobId !== job.jobId || source.state !== "running") return false;
    const { commit, identity, snapshot, usage } = result;
    const now = ctx.now();
    const sha = commit === "unchanged" ? source.commit : commit.sha;
    const changes = snapshot && sha !== null ? await storeEntries(tx, job.sourceId, snapshot, sha, now) : NO_CHANGES;
    if (snapshot) await storePacks(tx, job.sourceId, snapshot, now);
    else if (sha !== null && sha !== source.commit) await pinEntries(tx, job.sourceId, sha);
    await tx.catalogSource.update({
      where: { id: source.id },
      data: {
        state: "idle",
        error: null,
        errorCode: null,
        failures: 0,
        syncedAt: now,
        nextSyncAt: nextSyncAt(source, now),
        ...usageColumns(usage),
        ...(identity && { ...identity, identityCheckedAt: now, pendingRepository: null }),
        ...(commit !== "unchanged" && { commit: commit.sha, treeSha: commit.treeSha, commitEtag: commit.etag }),
        ...(snapshot && {
          treeEtag: snapshot.treeEtag,
          indexVersion: INDEX_VERSION,
          skipped: JSON.stringify(cutSkipped(snapshot.skipped)),
        }),
      },
    });
    const changed = changes.added + changes.changed + changes.removed;
    if (changed > 0 || source.syncedAt === null || source.failures > 0) {
      const parts = [`${changes.added} new`, `${changes.changed} changed`, `${changes.removed} gone`];
      await recordEvent(tx, txCtx, {
        action: "catalog_source.synced",
        summary: `synced the catalog source ${source.label}: ${parts.join(", ")}`,
        target: { kind: "catalog_source", id: source.id, name: source.label },
        data: { ...changes, commit: sha, skipped: snapshot?.skipped.length ?? 0, requests: usage.requests },
      });
    }
    return true;
  });
}

const NO_CHANGES = { added: 0, changed: 0, removed: 0 };

/** Replaces changed rows under their ids in bulk: thousands of single updates would hold the write lock too long. */
async function storeEntries(tx: Tx, sourceId: string, snapshot: Snapshot, commit: string, now: Date) {
  const rows = await tx.catalogEntry.findMany({
    where: { sourceId },
    select: { id: true, folder: true, treeSha: true, state: true, firstSeenAt: true, changedAt: true },
  });
  const known = new Map(rows.map((row) => [row.folder, row]));
  const counts = { added: 0, changed: 0, removed: 0 };
  const written = snapshot.entries.map((entry) => {
    const row = known.get(entry.folder);
    const isOther = row?.treeSha !== entry.treeSha;
    if (row === undefined) counts.added += 1;
    else if (isOther) counts.changed += 1;
    const times = { firstSeenAt: row?.firstSeenAt ?? now, changedAt: row && !isOther ? row.changedAt : now };
    return { id: row?.id ?? newId(), sourceId, commit, state: "present", ...times, ...entry };
  });
  for (const some of chunks(written)) {
    await tx.catalogEntry.deleteMany({ where: { id: { in: some.map((row) => row.id) } } });
    await tx.catalogEntry.createMany({ data: some });
  }
  const there = new Set([...snapshot.kept, ...snapshot.entries.map((entry) => entry.folder)]);
  const gone = rows.filter((row) => !there.has(row.folder) && row.state === "present");
  const back = rows.filter((row) => there.has(row.folder) && row.state === "removed");
  await setState(tx, sourceId, gone, { state: "removed", removedAt: now });
  await setState(tx, sourceId, back, { state: "present", removedAt: null });
  await pinEntries(tx, sourceId, commit);
  return { added: counts.added + back.length, changed: counts.changed, removed: gone.length };
}

async function pinEntries(tx: Tx, sourceId: string, commit: string): Promise<void> {
  await tx.catalogEntry.updateMany({ where: { sourceId, state: "present" }, data: { commit } });
}

async function setState(
  tx: Tx,
  sourceId: string,
  rows: { id: string; folder: string }[],
  data: { state: "present" | "removed"; removedAt: Date | null },
): Promise<void> {
  const installed = data.state === "removed" ? "removed" : "current";
  for (const some of chunks(rows)) {
    await tx.catalogEntry.updateMany({ where: { id: { in: some.map((row) => row.id) } }, data });
    const where = { sourceId, folder: { in: some.map((row) => row.folder) } };
    await tx.catalogInstall.updateMany({ where, data: { state: installed } });
  }
}

/** Packs keep their ids while they are declared under the same name. */
async function storePacks(tx: Tx, sourceId: string, { packs }: Snapshot, now: Date): Promise<void> {
  await tx.catalogPack.deleteMany({ where: { sourceId, key: { notIn: packs.map((pack) => pack.key) } } });
  for (const { key, members, ...pack } of packs) {
    const data = { ...pack, members: JSON.stringify(members), updatedAt: now };
    await tx.catalogPack.upsert({
      where: { sourceId_key: { sourceId, key } },
      create: { id: newId(), sourceId, key, ...data },
      update: data,
    });
  }
}

function cutSkipped(skipped: SkippedFolder[]): SkippedFolder[] {
  if (skipped.length <= MAX_SKIPPED) return skipped;
  const more = skipped.length - MAX_SKIPPED;
  return [...skipped.slice(0, MAX_SKIPPED), { folder: "", code: "more", reason: `${more} more are not listed here.` }];
}

function chunks<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}
