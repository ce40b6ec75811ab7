import { z } from "zod";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { capDescription } from "@/lib/skill-format/cap-description";
import { PORTABLE_NAME, portableFiles } from "@/lib/skill-format/export/write-spec";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";

/** Raised when the same files would be packed in another way: what was written of them before is then made anew. */
export const PACKAGE_FORMAT = 2;

/** What clients of indexes take, whatever they say themselves (skills 1.7.4). */
const MAX_FILES = 1_000;
const MAX_BYTES = 50 * 1024 * 1024;

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

/**
 * The files of a version as they leave the house: unchanged when every client can load their SKILL.md under the skill’s
 * name, else with the SKILL.md written anew. Names in other scripts have no place in an index that all clients read.
 */
export function packageFiles(skill: { name: string; slug: string }, stored: SkillFile[]): PackagedFiles {
  const { manifest } = readSkill(stored, { folder: skill.slug });
  // Those clients count as JavaScript does.
  const description = capDescription(manifest.description.trim(), "units");
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
  const portable = portableFiles(name, stored, manifest);
  if (portable === null) return none("No SKILL.md can be made of it that clients load.");
  return { ...portable, name, description, problem: null };
}

export const PackageFile = z.object({
  path: z.string(),
  mode: z.enum(["644", "755"]),
  size: z.number().int(),
  sha256: z.string(),
});
export type PackageFile = z.infer<typeof PackageFile>;

export const PackageFiles = z.array(PackageFile);

/** How a version travels: the same for everybody who may have it. */
export type SkillPackage = {
  form: "original" | "spec" | "none";
  name: string;
  description: string;
  files: PackageFile[];
  /** Of the ZIP that `archiveOf` makes. */
  zipSha256: string;
  zipSize: number;
  problem: string | null;
};
