import { findDeclarations } from "../sync/declarations";
import { findSkills } from "../sync/find-skills";
import type { SourceReader } from "../sync/source-reader";
import type { CollectInput } from "../thread/messages";
import type { SourcePreview } from "./schema";

const MAX_SHOWN = 500;

export type ListPreview = Pick<
  SourcePreview,
  "truncated" | "total" | "skills" | "declares" | "skipped" | "skippedCount"
>;

/** What a sync would find, from the list of files alone, in the catalog thread. */
export async function listPreview(
  reader: SourceReader,
  { repo, folder, commit }: Pick<CollectInput, "repo" | "folder" | "commit">,
): Promise<ListPreview> {
  const tree = await reader.listTree(commit, { folder, etag: null, memory: null });
  if (tree === "unchanged") throw new Error("the host answered 304 to a request without a tag");
  const { skills, skipped } = findSkills(tree.entries, { folder, treeSha: tree.treeSha });
  return {
    truncated: tree.truncated,
    total: skills.length,
    skills: skills.slice(0, MAX_SHOWN).map((skill) => ({
      folder: skill.folder,
      name: skill.folder === "" ? repo : (skill.folder.split("/").at(-1) ?? skill.folder),
      files: skill.files.length,
      bytes: skill.files.reduce((sum, file) => sum + file.size, 0),
      hasScripts: skill.files.some((file) => file.mode === "755"),
    })),
    declares: findDeclarations(tree.entries, folder).found.map((file) => file.path),
    skipped: skipped.slice(0, MAX_SHOWN),
    skippedCount: skipped.length,
  };
}
