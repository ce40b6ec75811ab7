import type { BaseFile } from "@/lib/client/editing";
import { changeOf, type EditorFile, fromBase, keptHash } from "./editor-file";

export type Rebased = {
  files: EditorFile[];
  /** Paths that both sides changed, each in its own way; mine is in `files`. */
  both: string[];
};

/**
 * My edit on top of a version that somebody else saved meanwhile: files that I did not touch are theirs, the others mine,
 * whether I changed, added or removed them.
 */
export function rebaseFiles(
  base: readonly BaseFile[],
  mine: readonly EditorFile[],
  theirs: readonly BaseFile[],
): Rebased {
  const files: EditorFile[] = [];
  const both: string[] = [];
  for (const path of [...new Set([...theirs, ...mine].map((file) => file.path))]) {
    const before = base.find((file) => file.path === path);
    const own = mine.find((file) => file.path === path);
    const other = theirs.find((file) => file.path === path);
    const didTheyChange = other?.sha256 !== before?.sha256 || other?.mode !== before?.mode;
    const didIChange = own ? changeOf(own, base) !== "same" : before !== undefined;
    if (!didIChange) {
      if (other) files.push(fromBase(other));
      continue;
    }
    if (own) files.push(own);
    if (didTheyChange && !isSame(own, other)) both.push(path);
  }
  return { files, both };
}

function isSame(own: EditorFile | undefined, other: BaseFile | undefined): boolean {
  if (!own || !other) return own === undefined && other === undefined;
  return own.mode === other.mode && keptHash(own.content, [other]) === other.sha256;
}
