import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import { type Ctx, inTransaction } from "@/lib/db/context";
import type { CatalogInstall } from "@/lib/db/generated/client";
import { proposeClass } from "@/lib/policy/propose-class";
import { requireScope } from "@/lib/policy/require-scope";
import { isText } from "@/lib/skill-format/archive/decode-text";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { SkillManifest } from "@/lib/skill-format/schema";
import { requireManagedSkill, requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import { isWithheld, UNREVIEWED } from "@/lib/skills/versions/agent-file-access";
import { type DiffSide, declaredChanges, diffFiles } from "@/lib/skills/versions/diff-versions";
import { getVersion } from "@/lib/skills/versions/get-version";
import { readBlob } from "@/lib/skills/versions/read-blob";
import type { Version } from "@/lib/skills/versions/schema";
import { assertImportQuota } from "@/lib/skills/versions/store-version";
import { installedEntries, isUpdateOf, visibleCatalog } from "../browse/visible-catalog";
import { planDependencies } from "../install/plan-dependencies";
import { type EntryWithSource, readFolder } from "../install/read-folder";
import { storeFolder } from "../install/store-folder";
import type { BulkUpdateAnswer, BulkUpdateInput, UpdatePreview } from "./schema";

type Upstream = EntryWithSource & { install: CatalogInstall };

/**
 * Stores the upstream files as a pending version; the active version stays active until a reviewer approves. Concurrent
 * calls get the same version. `conflict` as in `findUpstream`, and when the skill was renamed upstream.
 */
export async function applyUpdate(ctx: Ctx, idOrName: string): Promise<Version> {
  const actor = requireScope(ctx.actor, "write");
  const skill = await requireManagedSkill(ctx, idOrName);
  await assertImportQuota(ctx, actor.userId);
  const upstream = await findUpstream(ctx, skill);
  const folder = await readFolder(ctx, upstream);
  if (folder.read.manifest.slug !== skill.slug) {
    const renamed = folder.read.manifest.name;
    throw new AppError(
      "conflict",
      `The skill was renamed to “${renamed}” upstream. Install it under that name and delete “${skill.name}”.`,
    );
  }
  await assertNeedsAreHere(ctx, upstream, skill.ownerKey);
  const stored = await inTransaction(ctx, async (tx, txCtx) => {
    const { ownerKey, id } = await requireManagedSkill(txCtx, skill.id);
    const known = await tx.catalogInstall.findUnique({ where: { skillId: id }, select: { packId: true } });
    return storeFolder(tx, txCtx, actor, folder, { ownerKey, packId: known?.packId ?? null });
  });
  return getVersion(ctx, stored.skillId, stored.digest);
}

/** Throws `conflict` that names the skills which the new version needs and the owner lacks. */
async function assertNeedsAreHere(ctx: Ctx, upstream: EntryWithSource, ownerKey: string): Promise<void> {
  const { nodes, problems } = await planDependencies(ctx, await visibleCatalog(ctx), upstream, ownerKey);
  const absent = nodes.filter(({ state }) => state === "listed").map(({ name }) => `“${name}”`);
  if (problems.length === 0 && absent.length === 0) return;
  const advice = absent.length === 0 ? [] : [`Install ${absent.join(", ")} first, which the new version needs.`];
  throw new AppError("conflict", ["The update was not stored.", ...problems, ...advice].join(" "));
}

/** Applies several updates independently and reports each failure. */
export async function applyUpdates(ctx: Ctx, { skillIds }: BulkUpdateInput): Promise<BulkUpdateAnswer> {
  requireScope(ctx.actor, "write");
  const answer: BulkUpdateAnswer = { updated: [], failed: [] };
  for (const skillId of new Set(skillIds)) {
    try {
      answer.updated.push({ skillId, digest: (await applyUpdate(ctx, skillId)).digest });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      answer.failed.push({ skillId, code: error.code, message: error.message });
    }
  }
  return answer;
}

/**
 * The upstream entry that an installed skill can be updated to. `conflict` with the reason when it did not come from
 * the catalog, its source is disabled or deleted, its folder was removed, it cannot be installed, or there is no
 * update.
 */
export async function findUpstream(ctx: Ctx, skill: SkillRow): Promise<Upstream> {
  const install = await ctx.db.catalogInstall.findUnique({ where: { skillId: skill.id } });
  if (!install) throw new AppError("conflict", `“${skill.name}” did not come from the catalog.`);
  const { snapshot, sources } = await visibleCatalog(ctx);
  const [entryId] = installedEntries(snapshot, sources, [{ ...install, ownerKey: skill.ownerKey }]).keys();
  const entry = entryId === undefined ? null : await ctx.db.catalogEntry.findUnique({ where: { id: entryId } });
  const source = entry && sources.find(({ id }) => id === entry.sourceId);
  const where = `${install.owner}/${install.repo}`;
  if (!entry || !source) {
    throw new AppError("conflict", `The catalog no longer shows ${where}: its source is hidden or deleted.`);
  }
  if (entry.state === "removed") {
    throw new AppError("conflict", `“${skill.name}” is no longer in ${where}. The installed version stays.`);
  }
  if (!isUpdateOf({ ...entry, isRemoved: false }, install)) {
    throw new AppError("conflict", `“${skill.name}” is up to date with ${where} at ${install.ref}.`);
  }
  if (entry.blockedCode !== null) {
    throw new AppError("conflict", `This update cannot be installed: ${entry.blockedReason ?? entry.blockedCode}`);
  }
  return { install, entry, source };
}

/** Compares an update with the installed version; stores nothing. Agents do not see the content of scripts. */
export async function previewUpdate(ctx: Ctx, idOrName: string): Promise<UpdatePreview> {
  requireScope(ctx.actor, "read");
  const skill = await requireSkill(ctx, idOrName);
  const upstream = await findUpstream(ctx, skill);
  const { read, notes } = await readFolder(ctx, upstream);
  const { version } = await requireVersion(ctx, skill.id, upstream.install.digest);
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  return {
    skillId: skill.id,
    against: version.digest,
    commit: upstream.entry.commit,
    treeSha: upstream.entry.treeSha,
    files: await diffFiles(
      version.files.map((file) => ({
        ...file,
        isText: file.isText && !isWithheld(ctx.actor, version, file),
        bytes: () => readBlob(ctx, file),
      })),
      read.files.map((file) => sideOf(ctx, file)),
    ),
    changes: declaredChanges(
      { manifest, proposedClass: proposeClass(manifest, version.files).class },
      { manifest: read.manifest, proposedClass: proposeClass(read.manifest, read.files).class },
    ),
    notes: [...new Set([...notes, ...read.diagnostics])],
  };
}

function sideOf(ctx: Ctx, { path, mode, bytes }: SkillFile): DiffSide {
  const isShown = isText(bytes) && !isWithheld(ctx.actor, UNREVIEWED, { path, mode });
  return {
    ...{ path, mode, sha256: sha256Hex(bytes), size: bytes.length, isText: isShown },
    bytes: () => Promise.resolve(bytes),
  };
}
