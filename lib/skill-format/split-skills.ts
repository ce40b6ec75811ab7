import { AppError } from "@/lib/core/errors";
import { MAX_SKILL_FILES } from "./limits";
import { ancestors } from "./safe-path";
import type { Diagnostic } from "./schema";
import type { SkillFile } from "./skill-file";
import { isSkillMarker } from "./skill-marker";

/**
 * Groups files by skill: each folder with a `SKILL.md` (any letter case), `skill.json` or `skill.toml` is one. A file belongs
 * to the nearest skill above it, so a nested skill is apart from its parent. Paths in the result are relative to the
 * skill; `folder` is the folder's own name, or `fallbackName` at the root. Throws `invalid` when there is no skill and
 * `too_large` for more than 500 files in one.
 */
export function splitSkills(
  files: SkillFile[],
  options: { fallbackName: string },
): { skills: { folder: string; files: SkillFile[] }[]; diagnostics: Diagnostic[] } {
  const groups = new Map<string, SkillFile[]>();
  for (const file of files) if (isSkillMarker(file.path)) groups.set(file.path.slice(0, prefixLength(file.path)), []);
  if (groups.size === 0) {
    throw new AppError("invalid", "There is no skill here: no folder holds a SKILL.md, skill.json or skill.toml.");
  }
  let outside = 0;
  for (const file of files) {
    const prefix = ["", ...ancestors(file.path).map((folder) => `${folder}/`)].findLast((folder) => groups.has(folder));
    if (prefix === undefined) outside += 1;
    else groups.get(prefix)?.push({ ...file, path: file.path.slice(prefix.length) });
  }
  const skills = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, members]) => ({ folder: prefix.split("/").at(-2) ?? options.fallbackName, files: members }));
  for (const skill of skills) {
    if (skill.files.length > MAX_SKILL_FILES) {
      throw new AppError("too_large", `The skill "${skill.folder}" has more than ${MAX_SKILL_FILES} files.`);
    }
  }
  return { skills, diagnostics: outside === 0 ? [] : [describeOutside(outside)] };
}

function prefixLength(path: string): number {
  return path.lastIndexOf("/") + 1;
}

function describeOutside(count: number): Diagnostic {
  const what = count === 1 ? "1 file belongs" : `${count} files belong`;
  return { code: "outside_of_skills", severity: "info", message: `${what} to no skill and were left out.` };
}
