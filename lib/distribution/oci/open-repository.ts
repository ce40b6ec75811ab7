import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { findPublisher, ownedBy } from "@/lib/skills/community/publishers";
import { EVER_APPROVED, pickOffered } from "../find-version";
import { loadPackages } from "../load-packages";
import { knownTo, offeredTo } from "../offered-skills";
import { presentPublished } from "../present-published";
import { type Published, type PublishedRow, publishedVersion } from "../published";
import { nameVersions } from "../version-names";
import { noRepository, type RepositoryName } from "./parse-request";
import { hasLayer, knownLayers, type Layer, type Manifest, makeLayer, manifestOfVersion } from "./write-manifest";

/** A version that the viewer is offered. `tag` is its version name. */
export type Entry = { published: Published; tag: string };

/** The approved versions of a skill that the viewer is offered, and those that were approved once. */
export type Repository = {
  entries: Entry[];
  /** Versions that are not offered any more, or were changed in storage, with their version names. */
  former: { row: PublishedRow; tag: string }[];
  /** Layers that were made before, by version id. */
  layers: Map<string, Layer>;
};

/** The tag of the active version. */
export const LATEST = "latest";

/**
 * Finds a repository for the viewer of `ctx`. Throws `not_found` with the rule `NAME_UNKNOWN` for a skill that was never
 * approved or is hidden, `gone` for one that was withdrawn.
 */
export async function openRepository(ctx: Ctx, { publisher, skill }: RepositoryName): Promise<Repository> {
  const rows = await everApproved(ctx, publisher, skill);
  const { isOffered, isHidden } = await offeredTo(ctx);
  const names = await nameVersions(
    ctx,
    rows.map((row) => row.skill.id),
  );
  const tagOf = ({ id }: { id: string }) => names.get(id) ?? "";
  const offered = rows.filter(({ skill: of, version }) => isOffered(of, version) && version.tampered === null);
  const entries = (await presentPublished(ctx, offered))
    .filter(hasLayer)
    .map((published) => ({ published, tag: tagOf(published.version) }));
  const former = rows
    .filter((row) => !offered.includes(row) && !isHidden(row.skill, row.version))
    .map((row) => ({ row, tag: tagOf(row.version) }));
  if (entries.length > 0) {
    const ids = rows.map(({ version }) => version.id);
    return { entries, former, layers: await knownLayers(ctx, ids) };
  }
  await pickOffered(ctx, rows).catch(asUnknown);
  throw former.length > 0 ? withdrawn("MANIFEST_UNKNOWN") : noRepository();
}

/** Existing skills come before deleted ones of the same name. */
async function everApproved(ctx: Ctx, handle: string, slug: string): Promise<PublishedRow[]> {
  const publisher = await findPublisher(ctx, handle);
  if (publisher === null) return [];
  const skills = await ctx.db.skill.findMany({
    where: { AND: [knownTo(ctx.actor), ownedBy(publisher), { slug }] },
    include: {
      versions: {
        where: { state: { in: EVER_APPROVED } },
        select: publishedVersion,
        orderBy: { number: "asc" },
      },
    },
    orderBy: [{ liveSlug: { sort: "desc", nulls: "last" } }, { id: "desc" }],
  });
  return skills.flatMap(({ versions, ...skill }) => versions.map((version) => ({ skill, version })));
}

function asUnknown(error: unknown): never {
  throw error instanceof AppError && error.code === "not_found" ? noRepository() : error;
}

export function isActive({ published: { skill, version } }: Entry): boolean {
  return skill.currentId === version.id;
}

/** The version of a tag. Throws `gone` for one that was withdrawn, else `not_found`, with the rule `MANIFEST_UNKNOWN`. */
export function findTag({ entries, former }: Repository, tag: string): Entry {
  const found = entries.find((entry) => (tag === LATEST ? isActive(entry) : entry.tag === tag));
  if (found !== undefined) return found;
  if (former.some((one) => one.tag === tag)) throw withdrawn("MANIFEST_UNKNOWN");
  throw new AppError("not_found", `This repository has no tag “${tag}”.`, { rule: "MANIFEST_UNKNOWN" });
}

function withdrawn(rule: string): AppError {
  return new AppError(
    "gone",
    "This version was revoked or changed in storage, or its skill was switched off or deleted.",
    { rule },
  );
}

type Packed = { layer: Layer; manifest: Manifest };

/** The layer and the manifest of a version. A layer that was not made before is made now. */
export async function packEntry(ctx: Ctx, { layers }: Repository, { published, tag }: Entry): Promise<Packed> {
  const { id } = published.version;
  const layer = layers.get(id) ?? (await makeLayer(ctx, published));
  layers.set(id, layer);
  return { layer, manifest: manifestOfVersion({ ...published, versionName: tag }, layer) };
}

type Wanted = { isWanted(packed: Packed): boolean; code: string };

/**
 * The first version whose layer or manifest is wanted; layers that were made before are tried first. Null without one;
 * throws `gone` with the rule `code` when a withdrawn version is wanted.
 */
export async function findEntry(
  ctx: Ctx,
  repository: Repository,
  { isWanted, code }: Wanted,
): Promise<(Entry & Packed) | null> {
  const { entries, former, layers } = repository;
  const made = entries.filter(({ published }) => layers.has(published.version.id));
  for (const entry of [...made, ...entries.filter((one) => !made.includes(one))]) {
    const packed = await packEntry(ctx, repository, entry);
    if (isWanted(packed)) return { ...entry, ...packed };
  }
  const packages = await loadPackages(
    ctx,
    former
      .filter(({ row }) => layers.has(row.version.id))
      .map(({ row: { skill, version } }) => ({ versionId: version.id, skill })),
  );
  for (const { row, tag } of former) {
    const [layer, packed] = [layers.get(row.version.id), packages.get(row.version.id)];
    if (layer === undefined || packed === undefined) continue;
    const manifest = manifestOfVersion({ ...packed, digest: row.version.digest, versionName: tag }, layer);
    if (isWanted({ layer, manifest })) throw withdrawn(code);
  }
  return null;
}
