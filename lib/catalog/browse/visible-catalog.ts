import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { CatalogEntry, CatalogInstall, Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { ORG } from "@/lib/skills/skill-access";
import type { CatalogSourceStatus } from "../schema";
import { currentSnapshot, placeKey, type Snapshot } from "./snapshot";

export type VisibleCatalog = { snapshot: Snapshot; sources: VisibleSource[]; installed: Map<string, Installed> };

/** What the caller sees of the catalog: its entries, the sources that are on, and what is installed. */
export async function visibleCatalog(ctx: Ctx): Promise<VisibleCatalog> {
  const actor = requireScope(ctx.actor, "read");
  const [snapshot, sources, installs] = await Promise.all([
    currentSnapshot(ctx),
    visibleSources(ctx),
    ownInstalls(ctx, actor),
  ]);
  return { snapshot, sources, installed: installedEntries(snapshot, sources, installs) };
}

/** The entry of this id with its source; `not_found` also when its source is off, or it is gone and not installed. */
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

/** Which entries the caller has installed, by entry id, and where upstream is further than what was taken last. */
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

/** Another tree with the same files is none: a skill that lies inside this one's folder has changed. */
export function isUpdateOf(
  entry: { isRemoved: boolean; treeSha: string; contentKey: string },
  install: Pick<OwnInstall, "treeSha" | "contentKey">,
): boolean {
  return !entry.isRemoved && entry.treeSha !== install.treeSha && entry.contentKey !== install.contentKey;
}

/** The entry it came from; after its source was deleted and added again, the one at the same place. */
function entryOf(snapshot: Snapshot, sources: VisibleSource[], install: OwnInstall): number | undefined {
  const own = snapshot.byId.get(install.entryId ?? "");
  if (own !== undefined) return own;
  const source = sources.find(
    ({ owner, repo, refName }) => owner === install.owner && repo === install.repo && refName === install.ref,
  );
  return source && snapshot.byPlace.get(placeKey(source.id, install.folder));
}

/** Without the list of its files, which is long and seldom asked for. */
export type OwnInstall = Omit<CatalogInstall, "blobs"> & { ownerKey: string };

/** What came out of the catalog and belongs to the caller or to the organisation, the caller's own first. */
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

/** Not its reasons for skipped folders, which are long. */
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
  /** As the source has it; the default branch's name when it has none. */
  refName: string;
};

/** Sources that are switched on, by label. What the others hold is hidden, and nothing else changes. */
export async function visibleSources(ctx: Ctx): Promise<VisibleSource[]> {
  const rows = await ctx.db.catalogSource.findMany({
    where: { enabled: true },
    select: SHOWN,
    orderBy: [{ label: "asc" }, { id: "asc" }],
  });
  return rows.map(({ ref, defaultBranch, ...row }) => ({ ...row, refName: refNameOf({ ref, defaultBranch }) }));
}

export function refNameOf({ ref, defaultBranch }: { ref: string | null; defaultBranch: string | null }): string {
  return ref ?? defaultBranch ?? "HEAD";
}

export function sourceStatus({ id, label, syncedAt, error }: VisibleSource): CatalogSourceStatus {
  return { id, label, syncedAt: syncedAt?.toISOString() ?? null, error };
}
