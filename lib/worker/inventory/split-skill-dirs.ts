/**
 * The directories of `SKILLGATE_SKILL_DIRS` in their order, each once: separated by colons, commas or semicolons. The colon
 * of a drive letter (`C:\skills`) separates nothing.
 */
export function splitSkillDirs(text: string | undefined): string[] {
  const dirs = (text ?? "").split(/[,;]|(?<!(?:^|[,;:])\s*[A-Za-z]):|:(?![\\/])/).map((dir) => dir.trim());
  return [...new Set(dirs.filter((dir) => dir !== ""))];
}
