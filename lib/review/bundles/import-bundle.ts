import { recordEvent } from "@/lib/audit/record-event";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import type { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";
import { requireOwnerKey } from "@/lib/skills/skill-access";
import { type Stored, storeVersion } from "@/lib/skills/versions/store-version";
import { type BundleVersion, nameOfVersion, rejectBundle } from "./format";
import { type OpenBundle, withBundle } from "./read-bundle";

export type ImportedVersion = Pick<Stored, "skillId" | "digest" | "effect"> & { name: string };
export type BundleImport = { bundle: string; keyId: string; instance: string; versions: ImportedVersion[] };

type Read = { manifest: SkillManifest; diagnostics: Diagnostic[] };

/**
 * Imports a bundle in one transaction: its versions become pending versions of the chosen owner, as every import, and
 * what the exporting instance decided is stored beside them. Approves nothing. The caller is the author of the new
 * versions, so that another person has to approve them. For admins; throws `archive_rejected` for a bundle that was
 * changed or contradicts itself, and for files that this release cannot read; and as `storeVersion` does.
 */
export async function importBundle(
  ctx: Ctx,
  { file, owner }: { file: string; owner: "me" | "org" },
): Promise<BundleImport> {
  const actor = requireScope(ctx.actor, "admin");
  const ownerKey = requireOwnerKey(actor, owner);
  return withBundle(file, async (bundle) => {
    const manifests = await readManifests(bundle);
    const { manifest, digest } = bundle;
    // Reads the files of one version after another: all of them together may not fit into memory.
    return inTransaction(ctx, async (tx, txCtx) => {
      await storeInstance(tx, txCtx, bundle);
      const versions: ImportedVersion[] = [];
      for (const { version, record } of inOrder(bundle)) {
        const name = nameOfVersion(version);
        const read = manifests.get(name);
        if (read === undefined) throw new Error(`${name} was not read`);
        const stored = await storeVersion(tx, txCtx, actor, {
          read: { folder: version.skill.slug, files: await bundle.readFiles(version), ...read },
          ownerKey,
          source: "imported",
          state: "pending",
          provenance: {
            ...{ bundle: digest, instance: manifest.instance.name, keyId: manifest.instance.keyId },
            at: txCtx.now().toISOString(),
          },
        });
        await storeForeignReview(tx, bundle, { versionId: stored.versionId, version, record });
        versions.push({ name, skillId: stored.skillId, digest: stored.digest, effect: stored.effect });
      }
      await recordImport(tx, txCtx, bundle, versions);
      const { keyId, name: instance } = manifest.instance;
      return { bundle: digest, keyId, instance, versions };
    });
  });
}

/** Older versions first, so that the newest becomes the pending one. */
function inOrder({ versions }: OpenBundle): OpenBundle["versions"] {
  return [...versions].sort((a, b) => a.version.number - b.version.number);
}

/** Reads each skill as this release understands it; the manifest of the exporting instance is only shown. */
async function readManifests(bundle: OpenBundle): Promise<Map<string, Read>> {
  const manifests = new Map<string, Read>();
  for (const { version } of bundle.versions) {
    await loopTurn();
    const name = nameOfVersion(version);
    const read = readSkill(await bundle.readFiles(version), { folder: version.skill.slug });
    const broken = read.diagnostics.find(({ severity }) => severity === "error");
    if (broken !== undefined) rejectBundle(`${name} cannot be imported: ${broken.message.replace(/\.$/, "")}`);
    const { slug } = read.manifest;
    if (slug !== version.skill.slug) rejectBundle(`${name} is named ${slug} by its own files`);
    manifests.set(name, read);
  }
  return manifests;
}

async function storeInstance(tx: Tx, ctx: Ctx, { digest, envelope, manifest }: OpenBundle): Promise<void> {
  const actor = requireScope(ctx.actor, "admin");
  const { keyId, publicKey, name } = manifest.instance;
  const [at, exportedAt] = [ctx.now(), new Date(manifest.exportedAt)];
  await tx.foreignInstance.upsert({
    where: { keyId },
    create: { keyId, publicKey, name, namedAt: exportedAt, firstSeenAt: at },
    update: {},
  });
  await tx.foreignInstance.updateMany({
    where: { keyId, namedAt: { lt: exportedAt } },
    data: { name, namedAt: exportedAt },
  });
  const imported = { importedAt: at, importedById: actor.userId, importedByName: actor.name };
  await tx.bundle.upsert({
    where: { digest },
    create: { digest, keyId, envelope, exportedAt, exportedByName: manifest.exportedBy.name, ...imported },
    update: {},
  });
}

/**
 * Stores what the instance said last about these bytes, for every copy of them here: an older bundle never replaces what a
 * newer one said, such as a revocation, and in one bundle a refusal is stronger than an approval.
 */
async function storeForeignReview(
  tx: Tx,
  { digest, manifest }: OpenBundle,
  { versionId, version, record }: { versionId: string; version: BundleVersion; record: string },
): Promise<void> {
  const { keyId } = manifest.instance;
  const exportedAt = new Date(manifest.exportedAt);
  const ofBytes = { keyId, version: { digest: version.digest } };
  const known = await tx.foreignReview.findFirst({
    where: {
      ...ofBytes,
      OR: [{ exportedAt: { gt: exportedAt } }, { exportedAt, state: { in: ["revoked", "rejected"] } }],
    },
    select: { bundleDigest: true, state: true, record: true, exportedAt: true },
    orderBy: { exportedAt: "desc" },
  });
  const said = known ?? { bundleDigest: digest, state: version.state, record, exportedAt };
  await tx.foreignReview.updateMany({ where: ofBytes, data: said });
  const place = { versionId_keyId: { versionId, keyId } };
  await tx.foreignReview.upsert({ where: place, create: { versionId, keyId, ...said }, update: said });
}

async function recordImport(tx: Tx, ctx: Ctx, { digest, manifest }: OpenBundle, versions: ImportedVersion[]) {
  const { name, keyId } = manifest.instance;
  const skills = new Set(versions.map(({ skillId }) => skillId)).size;
  await recordEvent(tx, ctx, {
    action: "bundle.import",
    summary: `imported ${skills} ${skills === 1 ? "skill" : "skills"} from a bundle of ${name}`,
    target: { kind: "bundle", id: digest, name },
    data: {
      ...{ bundle: digest, instance: name, keyId, exportedAt: manifest.exportedAt, skills },
      versions: versions.length,
      new: versions.filter(({ effect }) => effect !== "known").length,
    },
  });
}
