import { readSkill } from "@/lib/skill-format/read-skill";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { slugOf } from "@/lib/skill-format/skill-names";
import { validateStrict } from "@/lib/skill-format/validate-strict";
import { writeSpec } from "@/lib/skill-format/write-spec";
import { PORTABLE_NAME } from "../scope";

/** Raised when the same files would be packed in another way: what was written of them before is then made anew. */
export const PACKAGE_FORMAT = 1;

/** What clients of indexes take, whatever they say themselves (skills 1.7.4). */
const MAX_FILES = 1_000;
const MAX_BYTES = 50 * 1024 * 1024;
/** Counted as JavaScript counts a text, as those clients do. */
const MAX_DESCRIPTION = 1_024;

export type PackagedFiles = {
  /** The bytes as stored, or with a SKILL.md in the form of the specification; `none` when no client could install it. */
  form: "original" | "spec" | "none";
  name: string;
  description: string;
  files: SkillFile[];
  /** Why it is not offered, as a sentence. */
  problem: string | null;
};

const READS_AS_NO_TEXT = /^(?:[\d-]+|\d+e\d+|0[xo][\da-f]+|true|false|null|yes|no|on|off|y|n)$/;

/** What strict clients do not mind: fields they do not know, and descriptions that the index gives them cut. */
const HARMLESS = new Set(["strict_unexpected_fields", "strict_compatibility_long", "strict_compatibility_type"]);

/**
 * The files of a version as they leave the house: unchanged when every client can load their SKILL.md under the skill’s
 * name, else with the SKILL.md written anew. Names in other scripts have no place in an index that all clients read.
 */
export function packageFiles(skill: { name: string; slug: string }, stored: SkillFile[]): PackagedFiles {
  const { manifest } = readSkill(stored, { folder: skill.slug });
  const description = cut(manifest.description.trim());
  const none = (problem: string): PackagedFiles => ({
    ...{ form: "none", name: skill.slug, description, files: [], problem },
  });
  if (!PORTABLE_NAME.test(skill.slug) || slugOf(skill.name) !== skill.slug || !/^[\x20-\x7e]+$/.test(skill.name)) {
    return none("Its name has other characters than a-z, 0-9 and hyphens, which clients do not install.");
  }
  if (READS_AS_NO_TEXT.test(skill.slug)) return none("Its name reads as a number, a date or a yes or no in YAML.");
  if (description === "") return none("It has no description, without which clients drop it.");
  if (stored.length > MAX_FILES) return none(`It has more than ${MAX_FILES} files, which clients refuse.`);
  if (stored.reduce((sum, file) => sum + file.bytes.length, 0) > MAX_BYTES) return none("It is larger than 50 MiB.");
  const name = skill.slug;
  if (isLoadable(name, stored)) return { form: "original", name, description, files: stored, problem: null };
  const { files } = writeSpec(stored, { ...manifest, name });
  if (isLoadable(name, files)) return { form: "spec", name, description, files, problem: null };
  return none("No SKILL.md can be made of it that clients load.");
}

function isLoadable(name: string, files: SkillFile[]): boolean {
  const marker = files.find(({ path }) => path === "SKILL.md");
  if (marker === undefined || files.some(({ path }) => path !== "SKILL.md" && /^skill\.md$/i.test(path))) return false;
  return validateStrict(name, [marker]).every(({ severity, code }) => severity !== "error" || HARMLESS.has(code));
}

function cut(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  // Not through the middle of a pair of surrogates.
  return `${text.slice(0, MAX_DESCRIPTION - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
