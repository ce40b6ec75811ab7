import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { FolderFile, SkillFolder } from "./find-folders";
import { isInside, type SkillRoot } from "./skill-root";

export type SettledEntry =
  | { kind: "escapes"; entry: string }
  | { kind: "outside"; entry: string }
  /** `expected`: the path that the reader has to find it by; `copy`: a file from elsewhere in the root. */
  | { kind: "fine"; expected: string | null; copy: FolderFile | null };

/**
 * Where the entry of a pack really lies, symbolic links resolved. An absolute one inside the root but outside of the
 * skill's folder becomes a file of the skill, under its path below the root; what is missing is left to the reader.
 */
export async function settleEntry(root: SkillRoot, folder: SkillFolder, entry: string): Promise<SettledEntry> {
  const given = isAbsolute(entry) ? resolve(entry) : resolve(folder.path, entry);
  const target = await realpath(given).catch(() => null);
  const below = belowRoot(root, given, target);
  if (target === null ? below === null : !isInside(root, target)) return { kind: "escapes", entry: given };
  if (below === null || target === null) return { kind: "fine", expected: null, copy: null };
  const prefix = folder.below === "" ? "" : `${folder.below}/`;
  if (below.startsWith(prefix)) {
    return { kind: "fine", expected: isAbsolute(entry) ? below.slice(prefix.length) : null, copy: null };
  }
  if (!isAbsolute(entry)) return { kind: "outside", entry: given };
  return { kind: "fine", expected: below, copy: { path: below, source: target } };
}

/** Its path below the root with `/`, as it was written where that is inside. */
function belowRoot(root: SkillRoot, given: string, target: string | null): string | null {
  for (const [base, path] of [
    [root.path, given],
    [root.real, given],
    [root.real, target ?? root.real],
  ] as const) {
    const below = relative(base, path);
    if (below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below)) {
      return join(below).split(sep).join("/");
    }
  }
  return null;
}
