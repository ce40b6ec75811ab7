/** Folders that hold what a build or a package manager left: a SKILL.md in them is a copy of one elsewhere. */
const IGNORED = /(^|\/)(node_modules|__pycache__|\.git|dist|build)(\/|$)/i;

export function isIgnoredFolder(path: string): boolean {
  return IGNORED.test(path);
}

/** The outermost such folder above or at a path, or null. */
export function ignoredFolderOf(path: string): string | null {
  const match = IGNORED.exec(path);
  return match === null ? null : path.slice(0, match.index + match[0].length).replace(/\/$/, "");
}
