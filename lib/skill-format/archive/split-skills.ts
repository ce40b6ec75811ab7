import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { isMapping, parseJsonStrict } from "@/lib/skill-format/json-values";
import type { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";
import { ancestors } from "./archive-entry";
import { decodeText } from "./decode-text";
import { MAX_SKILL_FILES, MAX_SKILL_JSON_BYTES } from "./limits";
import { digestFiles, type SkillFile } from "./skill-file";

export type SplitSkill = { folder: string; location: string; files: SkillFile[] };

/**
 * Groups files by skill: each folder with a `SKILL.md` (any letter case), `skill.json` or `skill.toml` is a skill. A
 * file belongs to the nearest skill above it. Inside a skill, a `skill.json` that is not a pack's is an ordinary file.
 * Result paths are relative to the skill; `folder` is the folder's name (`fallbackName` at the root) and `location` its
 * path. Throws `invalid` when there is no skill, `too_large` for more than 500 files in one.
 */
export function splitSkills(
  files: SkillFile[],
  options: { fallbackName: string },
): { skills: SplitSkill[]; diagnostics: Diagnostic[] } {
  const groups = new Map<string, SkillFile[]>();
  for (const file of files) if (isSkillMarker(file.path)) groups.set(file.path.slice(0, prefixLength(file.path)), []);
  const foreign = dropForeignSkillJson(files, groups);
  if (groups.size === 0) {
    throw new AppError("invalid", "No skill was found: no folder has a SKILL.md, skill.json or skill.toml.");
  }
  const outside: string[] = [];
  for (const file of files) {
    const prefix = ["", ...ancestors(file.path).map((folder) => `${folder}/`)].findLast((folder) => groups.has(folder));
    if (prefix === undefined) outside.push(file.path);
    else groups.get(prefix)?.push({ ...file, path: file.path.slice(prefix.length) });
  }
  const skills = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, members]) => ({
      folder: prefix.split("/").at(-2) ?? options.fallbackName,
      location: prefix.replace(/\/$/, ""),
      files: members,
    }));
  for (const skill of skills) {
    if (skill.files.length > MAX_SKILL_FILES) {
      throw new AppError("too_large", `The skill "${skill.folder}" has more than ${MAX_SKILL_FILES} files.`);
    }
  }
  return { skills, diagnostics: [...describeOutside(outside), ...foreign] };
}

function dropForeignSkillJson(files: SkillFile[], groups: Map<string, SkillFile[]>): Diagnostic[] {
  const strong = new Set(
    files
      .filter(({ path }) => isSkillMarker(path) && !path.endsWith("skill.json"))
      .map(({ path }) => path.slice(0, prefixLength(path))),
  );
  const notes: Diagnostic[] = [];
  for (const { path, bytes } of files) {
    const folder = path.slice(0, prefixLength(path));
    if (!groups.has(folder) || strong.has(folder) || path !== `${folder}skill.json`) continue;
    const isInside = ["", ...ancestors(path).map((above) => `${above}/`)].some(
      (above) => above !== folder && strong.has(above),
    );
    const missing = isInside ? missingPackKeys(bytes) : [];
    if (missing.length === 0) continue;
    groups.delete(folder);
    notes.push(describeForeign(path, missing));
  }
  return notes;
}

function prefixLength(path: string): number {
  return path.lastIndexOf("/") + 1;
}

function describeOutside(paths: string[]): Diagnostic[] {
  if (paths.length === 0) return [];
  const what = paths.length === 1 ? "1 file belongs" : `${paths.length} files belong`;
  const left = { code: "outside_of_skills", message: `${what} to no skill and were left out.` };
  // Hermes describes a category of skills in such a file.
  const note = (code: string, message: string) => (path: string) => ({ code, path, message });
  const categories = paths
    .filter((path) => path.split("/").at(-1) === "DESCRIPTION.md")
    .map(note("category_skipped", "This DESCRIPTION.md describes a category of skills and is not a skill."));
  const misnamed = paths
    .filter((path) => isSkillMarker(path.toLowerCase()))
    .map(note("marker_misnamed", "Rename the file: skill.json and skill.toml must be in lower case."));
  return [left, ...categories, ...misnamed].map((item) => ({ ...item, severity: "info" }));
}

export type LocatedSkill = {
  location: string;
  files: SkillFile[];
  manifest: Pick<SkillManifest, "name" | "slug" | "toolName">;
};

/** Reports equal names after normalization (`a-b` and `a_b` are one tool) and byte-identical copies. */
export function findCollisions(skills: readonly LocatedSkill[]): Diagnostic[] {
  const byName = groupBy(skills, ({ manifest }) => manifest.toolName || manifest.slug);
  return byName.flatMap((group) => {
    if (group.length === 1) return [];
    const copies = groupBy(group, ({ files }) => digestOf(files));
    const identical = copies.filter((same) => same.length > 1).map(describeCopies);
    return copies.length > 1 ? [...identical, describeNames(group)] : identical;
  });
}

function groupBy(skills: readonly LocatedSkill[], keyOf: (skill: LocatedSkill) => string): LocatedSkill[][] {
  const groups = new Map<string, LocatedSkill[]>();
  for (const skill of skills) {
    const key = keyOf(skill);
    groups.set(key, [...(groups.get(key) ?? []), skill]);
  }
  return [...groups.values()];
}

function digestOf(files: SkillFile[]): string {
  return digestFiles(files.map(({ path, mode, bytes }) => ({ path, mode, sha256: sha256Hex(bytes) })));
}

function describeCopies(group: LocatedSkill[]): Diagnostic {
  const message = `“${group[0]?.manifest.name}” appears ${group.length} times with the same bytes: ${listLocations(group)}.`;
  return { code: "identical_copies", severity: "info", message };
}

function describeNames(group: LocatedSkill[]): Diagnostic {
  const names = [...new Set(group.map(({ manifest }) => `“${manifest.name}”`))].join(" and ");
  const message = `Several skills have the name ${names}: ${listLocations(group)}.`;
  return { code: "names_collide", severity: "warning", message };
}

function listLocations(group: LocatedSkill[]): string {
  const places = group.slice(0, 5).map(({ location }) => location || "the root");
  return `${places.join(", ")}${group.length > places.length ? ` and ${group.length - places.length} more` : ""}`;
}

const MARKER = /^(?:[sS][kK][iI][lL][lL]\.[mM][dD]|skill\.json|skill\.toml)$/;

/** Whether a file makes its folder a skill: `SKILL.md` in any letter case, `skill.json` or `skill.toml`. */
export function isSkillMarker(path: string): boolean {
  return MARKER.test(path.slice(path.lastIndexOf("/") + 1));
}

const REQUIRED_KEYS = ["name", "description", "entry"] as const;

/** The required keys that a `skill.json` lacks. In unreadable JSON, a key counts when its text is there. */
export function missingPackKeys(bytes: Uint8Array): string[] {
  const text = decodeText(bytes);
  if (text === null) return [...REQUIRED_KEYS];
  const json = bytes.length > MAX_SKILL_JSON_BYTES ? null : parseJsonStrict(text);
  return REQUIRED_KEYS.filter((key) =>
    json?.ok ? !isMapping(json.value) || !Object.hasOwn(json.value, key) : !new RegExp(`"${key}"\\s*:`).test(text),
  );
}

export function describeForeign(path: string, missing: readonly string[]): Diagnostic {
  const keys = missing.map((key) => `“${key}”`).join(" and ");
  const message = `This skill.json does not describe a pack: it has no ${keys}. The file is kept but not read.`;
  const severity = missing.includes("entry") ? "info" : "warning";
  return { code: "skill_json_foreign", severity, path, message };
}
