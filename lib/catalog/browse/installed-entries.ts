import type { OwnInstall } from "./own-installs";
import { placeKey, type Snapshot } from "./snapshot";
import type { VisibleSource } from "./visible-sources";

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
    found.set(entry.id, { skillId: install.skillId, hasUpdate: isFurther(entry, install) });
  }
  return found;
}

/** Another tree with the same files is none: a skill that lies inside this one's folder has changed. */
export function isFurther(
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
