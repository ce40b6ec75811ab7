import { openCatalog } from "../git/open-catalog";
import { publicAddress } from "../public-address";
import { pathOfScope } from "../scope";
import type { DoorViewer } from "../viewer-of";
import { composeMarketplace } from "./compose-marketplace";
import type { Marketplace } from "./schema";

/**
 * The marketplace of a viewer and scope, for clients that add it by its address. Each plugin is a folder of the repository
 * of the same scope, pinned to the commit that holds the approved bytes. `unavailable` where the machine has no git.
 */
export async function marketplaceFor(viewer: DoorViewer): Promise<Marketplace> {
  const { catalog, snapshot } = await openCatalog(viewer);
  snapshot.close();
  const url = publicAddress(`${viewer.base}${pathOfScope(viewer.scope)}/git/catalog.git`);
  return composeMarketplace({
    ...catalog,
    sourceOf: (path) => ({ source: "git-subdir", url, path, ref: "main", sha: snapshot.commit }),
  });
}
