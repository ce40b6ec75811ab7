import type { TreeEntry } from "../github/create-client";
import type { SkippedFolder } from "../sources/schema";
import { MAX_DECLARATION_BYTES } from "./file-limits";

/** Files at the root of a source that say something of its skills. */
export const MARKETPLACE_FILES = [
  ".claude-plugin/marketplace.json",
  ".agents/plugins/marketplace.json",
  ".cursor-plugin/marketplace.json",
];
export const GROUPS_FILE = "skills.sh.json";
export const INDEX_FILE = "skillgate-index.json";

export type Declaration = { path: string; base: string; sha: string; size: number };

/**
 * The declaring files of a source: at the root of the repository, and of the folder that the source is limited to. `base` is
 * where their paths start. Only one marketplace file is used, the first that there is.
 */
export function findDeclarations(
  entries: TreeEntry[],
  folder: string | null,
): { found: Declaration[]; skipped: SkippedFolder[] } {
  const blobs = new Map(entries.filter((entry) => entry.type === "blob").map((entry) => [entry.path, entry]));
  const bases = folder === null ? [""] : [`${folder}/`, ""];
  const pick = (names: string[]) => {
    for (const base of bases) {
      for (const name of names) {
        const entry = blobs.get(`${base}${name}`);
        if (entry && entry.mode !== "120000") return { path: entry.path, base, sha: entry.sha, size: entry.size ?? 0 };
      }
    }
    return null;
  };
  const all = [pick(MARKETPLACE_FILES), pick([GROUPS_FILE]), pick([INDEX_FILE])].filter((item) => item !== null);
  return {
    found: all.filter((item) => item.size <= MAX_DECLARATION_BYTES),
    skipped: all
      .filter((item) => item.size > MAX_DECLARATION_BYTES)
      .map((item) => ({
        folder: item.path,
        code: "too_large",
        reason: `It has ${item.size} bytes; at most ${MAX_DECLARATION_BYTES} are read of such a file.`,
      })),
  };
}
