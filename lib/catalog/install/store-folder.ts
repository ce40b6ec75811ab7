import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx, Tx } from "@/lib/db/context";
import type { CatalogInstall } from "@/lib/db/generated/client";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { type Stored, storeVersion } from "@/lib/skills/versions/store-version";

import { entryOrigin } from "../entry-origin";
import type { EntryWithSource, ReadFolder } from "./read-folder";
import type { InstallReport } from "./schema";

type StoreOptions = { ownerKey: string; packId: string | null };
export type StoredFolder = Stored & { report: InstallReport };

/**
 * Stores a folder as a pending version, of the skill it was installed as before or of a new disabled skill. The active
 * version stays active. Known bytes create no version, and updates still come from the first location. `conflict` when
 * the owner has a skill of this name from another origin, and when the catalog no longer offers what was read
 * (`assertStillOffered`).
 */
export async function storeFolder(
  tx: Tx,
  ctx: Ctx,
  actor: PersonActor,
  folder: ReadFolder,
  options: StoreOptions,
): Promise<StoredFolder> {
  const { entry, read } = folder;
  await assertStillOffered(tx, folder);
  await assertNameIsFree(tx, folder, options.ownerKey);
  const report = reportOf(ctx, folder);
  const stored = await storeVersion(tx, ctx, actor, {
    read,
    ownerKey: options.ownerKey,
    source: "catalog",
    state: "pending",
    provenance: provenanceOf(folder, { packId: options.packId, at: report.at }),
  });
  report.skillId = stored.skillId;
  report.outcome = stored.effect === "known" ? "known" : stored.effect === "new" ? "installed" : "updated";
  const place = installPlace(folder);
  if (stored.hint !== null) {
    report.notes = [...report.notes, { code: "not_active", severity: "warning", message: stored.hint }];
  }
  const known = await tx.catalogInstall.findUnique({ where: { skillId: stored.skillId } });
  if (known !== null && report.outcome === "known" && (await isCopyOf(tx, known, place))) return { ...stored, report };
  const at = ctx.now();
  const data = {
    sourceId: entry.sourceId,
    entryId: entry.id,
    ...place,
    commit: entry.commit,
    treeSha: entry.treeSha,
    contentKey: entry.contentKey,
    blobs: JSON.stringify(folder.blobs),
    digest: stored.digest,
    packId: options.packId ?? known?.packId ?? null,
    state: "current",
    updatedAt: at,
  };
  await tx.catalogInstall.upsert({
    where: { skillId: stored.skillId },
    create: { skillId: stored.skillId, ...data, installedBy: actor.userId, installedAt: at },
    update: data,
  });
  const sourceId = `${place.owner}/${place.repo}@${place.ref}:${place.folder}`;
  await tx.skill.update({
    where: { id: stored.skillId },
    data: { source: "catalog", sourceId, sourceVersion: entry.commit },
  });
  if (report.outcome !== "known") {
    await recordEvent(tx, ctx, {
      action: report.outcome === "installed" ? "skill.install" : "skill.update_from_catalog",
      summary: `${report.outcome} ${read.manifest.name} ${stored.digest.slice(0, 7)} from ${sourceId}`,
      target: { kind: "skill", id: stored.skillId, name: read.manifest.name },
      skillId: stored.skillId,
      versionDigest: stored.digest,
      tool: read.manifest.toolName,
      data: {
        entryId: entry.id,
        commit: entry.commit,
        treeSha: entry.treeSha,
        packId: options.packId,
        files: report.files,
      },
    });
  }
  return { ...stored, report };
}

async function isCopyOf(tx: Tx, install: CatalogInstall, place: InstallPlace): Promise<boolean> {
  const isSame = (["owner", "repo", "ref", "folder"] as const).every((key) => install[key] === place[key]);
  if (isSame || install.entryId === null) return false;
  return (
    (await tx.catalogEntry.count({ where: { id: install.entryId, state: "present", source: { enabled: true } } })) > 0
  );
}

export function reportOf(ctx: Ctx, { entry, read, notes }: ReadFolder): InstallReport {
  return {
    entryId: entry.id,
    skillId: null,
    name: read.manifest.name,
    folder: entry.folder,
    outcome: "installed",
    files: read.files.length,
    bytes: read.files.reduce((sum, file) => sum + file.bytes.length, 0),
    notes,
    commit: entry.commit,
    at: ctx.now().toISOString(),
  };
}

/**
 * Throws `conflict` when the source was hidden, deleted or moved while the folder was read, or the entry was removed,
 * blocked or changed. Transactions of PostgreSQL are serializable, so that no change slips in after this read.
 */
async function assertStillOffered(tx: Tx, folder: EntryWithSource): Promise<void> {
  const what = await findChange(tx, folder);
  if (what === null) return;
  throw new AppError("conflict", `${what} while its files were read. Nothing of it was stored.`);
}

async function findChange(tx: Tx, { entry: read, source: from }: EntryWithSource): Promise<string | null> {
  const { id, sourceId, name } = read;
  const source = await tx.catalogSource.findUnique({
    where: { id: sourceId },
    select: { enabled: true, repoUrl: true },
  });
  if (!source?.enabled) return `The source of “${name}” was ${source === null ? "deleted" : "hidden"}`;
  const now = await tx.catalogEntry.findUnique({
    where: { id },
    select: { state: true, blockedCode: true, commit: true, treeSha: true },
  });
  if (source.repoUrl !== from.repoUrl) return `The source of “${name}” was moved to another repository`;
  if (now?.state !== "present") return `“${name}” was removed from the catalog`;
  if (now.blockedCode !== null) return `“${name}” was blocked`;
  if (now.commit !== read.commit || now.treeSha !== read.treeSha) return `“${name}” was changed in its repository`;
  return null;
}

/** A catalog folder must not silently become a version of a skill from another origin. */
async function assertNameIsFree(tx: Tx, folder: ReadFolder, ownerKey: string): Promise<void> {
  const { slug, name } = folder.read.manifest;
  const skill = await tx.skill.findFirst({ where: { ownerKey, liveSlug: slug } });
  if (skill === null) return;
  const install = await tx.catalogInstall.findUnique({ where: { skillId: skill.id } });
  const place = installPlace(folder);
  if (install?.owner === place.owner && install.repo === place.repo && install.folder === place.folder) return;
  const digest = digestFiles(folder.read.files.map((file) => ({ ...file, sha256: sha256Hex(file.bytes) })));
  const hasTheseBytes = await tx.version.count({ where: { skillId: skill.id, digest } });
  if (hasTheseBytes > 0) return;
  const origin = install
    ? `${install.owner}/${install.repo}`
    : skill.source === "authored"
      ? "was written here"
      : "came from elsewhere";
  const from = install ? `that came from ${origin}` : `that ${origin}`;
  throw new AppError(
    "conflict",
    `A skill “${name}” ${from} exists already. Delete it first, or install this one for another owner.`,
  );
}

type InstallPlace = { owner: string; repo: string; ref: string; folder: string };

function installPlace({ entry, source }: Pick<ReadFolder, "entry" | "source">): InstallPlace {
  return { owner: source.owner, repo: source.repo, ref: source.refName, folder: entry.folder };
}

function provenanceOf(
  folder: ReadFolder,
  { packId, at }: { packId: string | null; at: string },
): Record<string, unknown> {
  const { entry, source, blobs, notes } = folder;
  return {
    catalog: { sourceId: source.id, sourceLabel: source.label, entryId: entry.id, packId },
    ...entryOrigin(entry, source),
    blobs,
    at,
    report: notes,
  };
}
