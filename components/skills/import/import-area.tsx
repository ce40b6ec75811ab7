import { DropOverlay } from "./drop-overlay";
import { ImportDrawer } from "./import-drawer";
import type { ImportDrawerState } from "./use-import-drawer";

/** Takes files dropped anywhere on the page, and shows what an import of them would do. */
export function ImportArea({ drawer }: { drawer: ImportDrawerState }) {
  return (
    <>
      <DropOverlay onDrop={drawer.take} />
      <ImportDrawer drawer={drawer} />
    </>
  );
}
