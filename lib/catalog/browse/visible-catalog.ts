import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { CatalogEntry, CatalogInstall, Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { ORG } from "@/lib/skills/skill-access";
import type { CatalogSourceStatus } from "../schema";
import { currentSnapshot, placeKey, type Snapshot } from "./snapshot";

export type VisibleCatalog = { snapshot: Snapshot; sources: VisibleSource[]; installed: Map<string, Installed> };

/** The catalog as the caller sees it: entries, enabled sources, and own installs. */
export async function visibleCatalog(ctx: Ctx): Promise<VisibleCatalog> {
  const actor = requireScope(ctx.actor, "read");
  const [snapshot, sources, installs] = await Promise.all([
    currentSnapshot(ctx),
    visibleSources(ctx),
    ownInstalls(ctx, actor),
  ]);
  return { snapshot, sources, installed: installedEntries(snapshot, sources, installs) };
}

/** The entry with its source. `not_found` also for a disabled source, and for a removed entry that is not installed. */
export async function requireEntry(
  ctx: Ctx,
  shown: Pick<VisibleCatalog, "sources" | "installed">,
  id: string,
): Promise<{ entry: CatalogEntry; source: VisibleSource }> {
  const entry = await ctx.db.catalogEntry.findUnique({ where: { id } });
  const source = shown.sources.find((candidate) => candidate.id === entry?.sourceId);
  if (!entry || !source || (entry.state === "removed" && !shown.installed.has(entry.id))) {
    throw new AppError("not_found", `The catalog has no entry “${id.slice(0, 100)}”.`);
  }
  return { entry, source };
}

export type Installed = { skillId: string; hasUpdate: boolean };

/** Maps installed entries to their skills, and whether upstream has an update. */
export function installedEntries(
  snapshot: Snapshot,
  sources: VisibleSource[],
  installs: OwnInstall[],
): Map<string, Installed> {
  const found = new Map<string, Installed>();
  for (const install of installs) {
    const entry = snapshot.entries[entryOf(snapshot, sources, install) ?? -1];
    if (!entry || found.has(entry.id)) continue;
    found.set(entry.id, { skillId: install.skillId, hasUpdate: isUpdateOf(entry, install) });
  }
  return found;
}

/** Whether upstream has other files than the install; the tree alone also changes with nested skills. */
export function isUpdateOf(
  entry: { isRemoved: boolean; treeSha: string; contentKey: string },
  install: Pick<OwnInstall, "treeSha" | "contentKey">,
): boolean {
  return !entry.isRemoved && entry.treeSha !== install.treeSha && entry.contentKey !== install.contentKey;
}

/** The installed entry; after its source was deleted and added again, the entry at the same path. */
function entryOf(snapshot: Snapshot, sources: VisibleSource[], install: OwnInstall): number | undefined {
  const own = snapshot.byId.get(install.entryId ?? "");
  if (own !== undefined) return own;
  const source = sources.find(
    ({ owner, repo, refName }) => owner === install.owner && repo === install.repo && refName === install.ref,
  );
  return source && snapshot.byPlace.get(placeKey(source.id, install.folder));
}

/** Without the list of files, which is large and rarely needed. */
export type OwnInstall = Omit<CatalogInstall, "blobs"> & { ownerKey: string };

/** Catalog installs of the caller and the organisation, the caller's first. */
export async function ownInstalls(ctx: Ctx, actor: PersonActor): Promise<OwnInstall[]> {
  const skills = await ctx.db.skill.findMany({
    where: { deletedAt: null, source: "catalog", ownerKey: { in: [actor.userId, ORG] } },
    select: { id: true, ownerKey: true },
  });
  const owners = new Map(skills.map((skill) => [skill.id, skill.ownerKey]));
  if (owners.size === 0) return [];
  const rows = await ctx.db.catalogInstall.findMany({ omit: { blobs: true }, orderBy: { skillId: "asc" } });
  return rows
    .flatMap((row) => {
      const ownerKey = owners.get(row.skillId);
      return ownerKey === undefined ? [] : [{ ...row, ownerKey }];
    })
    .sort((a, b) => Number(a.ownerKey === ORG) - Number(b.ownerKey === ORG));
}

const SHOWN = {
  id: true,
  label: true,
  owner: true,
  repo: true,
  ref: true,
  defaultBranch: true,
  isPrivate: true,
  repositoryId: true,
  syncedAt: true,
  error: true,
} satisfies Prisma.CatalogSourceSelect;

export type VisibleSource = Omit<Prisma.CatalogSourceGetPayload<{ select: typeof SHOWN }>, "ref" | "defaultBranch"> & {
  /** The ref of the source, or the name of the default branch. */
  refName: string;
};

/** Enabled sources, by label. */
async function visibleSources(ctx: Ctx): Promise<VisibleSource[]> {
  const rows = await ctx.db.catalogSource.findMany({
    where: { enabled: true },
    select: SHOWN,
    orderBy: [{ label: "asc" }, { id: "asc" }],
  });
  return rows.map(({ ref, defaultBranch, ...row }) => ({ ...row, refName: ref ?? defaultBranch ?? "HEAD" }));
}

export function sourceStatus({ id, label, syncedAt, error }: VisibleSource): CatalogSourceStatus {
  return { id, label, syncedAt: syncedAt?.toISOString() ?? null, error };
}
