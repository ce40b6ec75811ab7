/** Folders that hold what a build or a package manager left: a SKILL.md in them is a copy of one elsewhere. */
const IGNORED = /(^|\/)(node_modules|__pycache__|\.git|dist|build)(\/|$)/i;

export function isIgnoredFolder(path: string): boolean {
  return IGNORED.test(path);
}
