import { entryOrigin } from "../entry-origin";
import type { ReadFolder } from "./read-folder";

export type InstallPlace = { owner: string; repo: string; ref: string; folder: string };

/** Where upstream an installed skill is looked for. */
export function installPlace({ entry, source }: Pick<ReadFolder, "entry" | "source">): InstallPlace {
  return { owner: source.owner, repo: source.repo, ref: source.refName, folder: entry.folder };
}

/** What a version from the catalog keeps of where it came from and of what did not fit here at that time. */
export function provenanceOf(
  folder: ReadFolder,
  { packId, at }: { packId: string | null; at: string },
): Record<string, unknown> {
  const { entry, source, blobs, notes } = folder;
  return {
    catalog: { sourceId: source.id, sourceLabel: source.label, entryId: entry.id, packId },
    ...entryOrigin(entry, source),
    blobs,
    at,
    report: notes,
  };
}
