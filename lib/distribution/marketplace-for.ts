import { openCatalog } from "./git/open-catalog";
import type { Viewer } from "./identify-viewer";
import { composeMarketplace, folderOf } from "./marketplace";
import { publicAddress } from "./public-address";
import type { Published } from "./published";
import type { Marketplace } from "./schema";
import { pathOfScope } from "./scope";

/**
 * Builds the marketplace of a viewer and scope for clients that add it by URL. Each plugin is a folder of the scope's
 * git repository, pinned to a commit of this version alone, so later approvals do not change it. Throws `unavailable`
 * without git.
 */
export async function marketplaceFor(viewer: Viewer): Promise<Marketplace> {
  const { catalog, snapshot } = await openCatalog(viewer);
  snapshot.close();
  const url = publicAddress(`${viewer.base}${pathOfScope(viewer.scope)}/git/catalog.git`);
  const shaOf = ({ version }: Published) => snapshot.commits.get(version.id);
  return composeMarketplace({
    ...catalog,
    skills: catalog.skills.filter((one) => shaOf(one) !== undefined),
    sourceOf: (one) => ({ source: "git-subdir", url, path: folderOf(one), ref: "main", sha: shaOf(one) ?? "" }),
  });
}
