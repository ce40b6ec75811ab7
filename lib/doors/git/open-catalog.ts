import type { DoorViewer } from "../viewer-of";
import { type Catalog, composeCatalog, readCatalog } from "./compose-catalog";
import { type OpenSnapshot, openSnapshot } from "./open-snapshot";

/** The repository of what the viewer is offered at this moment; asked anew at each request. Close it. */
export async function openCatalog(viewer: DoorViewer): Promise<{ catalog: Catalog; snapshot: OpenSnapshot }> {
  const catalog = await readCatalog(viewer);
  const { key, content } = composeCatalog(viewer.ctx, catalog);
  const view = JSON.stringify([viewer.isPublic ? "public" : viewer.key, viewer.scope]);
  const snapshot = await openSnapshot({ dataDir: viewer.ctx.database.workFolder, view, key, content });
  return { catalog, snapshot };
}
