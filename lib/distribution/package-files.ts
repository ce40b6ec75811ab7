import { z } from "zod";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { capDescription } from "@/lib/skill-format/cap-description";
import { PORTABLE_NAME, portableFiles } from "@/lib/skill-format/export/write-spec";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";

/** Raise it when the same files would be packaged differently: stored packages are then rebuilt. */
export const PACKAGE_FORMAT = 2;

/** Limits of index clients (skills 1.7.4). */
const MAX_FILES = 1_000;
const MAX_BYTES = 50 * 1024 * 1024;

type PackagedFiles = {
  /** Bytes as stored, or with a rewritten SKILL.md (`spec`); `none` when no client could install it. */
  form: "original" | "spec" | "none";
  name: string;
  description: string;
  files: SkillFile[];
  problem: string | null;
};

const READS_AS_OTHER_TYPE = /^(?:[\d-]+|\d+e\d+|0[xo][\da-f]+|true|false|null|yes|no|on|off|y|n)$/;

/**
 * Packages the files of a version: unchanged when every client can load its SKILL.md under the skill's name, else with
 * a rewritten SKILL.md. Index names must be ASCII.
 */
export function packageFiles(skill: { name: string; slug: string }, stored: SkillFile[]): PackagedFiles {
  const { manifest } = readSkill(stored, { folder: skill.slug });
  // Clients count UTF-16 units.
  const description = capDescription(manifest.description.trim(), "units");
  const none = (problem: string): PackagedFiles => ({
    ...{ form: "none", name: skill.slug, description, files: [], problem },
  });
  if (!PORTABLE_NAME.test(skill.slug) || slugOf(skill.name) !== skill.slug || !/^[\x20-\x7e]+$/.test(skill.name)) {
    return none("Its name has characters other than a-z, 0-9 and hyphens, so clients do not install it.");
  }
  if (READS_AS_OTHER_TYPE.test(skill.slug)) return none("YAML reads its name as a number, a date or a boolean.");
  if (description === "") return none("It has no description, so clients ignore it.");
  if (stored.length > MAX_FILES) return none(`It has more than ${MAX_FILES} files, so clients refuse it.`);
  if (stored.reduce((sum, file) => sum + file.bytes.length, 0) > MAX_BYTES) return none("It is larger than 50 MiB.");
  const name = skill.slug;
  const portable = portableFiles(name, stored, manifest);
  if (portable === null) return none("No SKILL.md that clients load can be written for it.");
  return { ...portable, name, description, problem: null };
}

const PackageFile = z.object({
  path: z.string(),
  mode: z.enum(["644", "755"]),
  size: z.number().int(),
  sha256: z.string(),
});
type PackageFile = z.infer<typeof PackageFile>;

export const PackageFiles = z.array(PackageFile);

/** Package of a version, the same for every viewer. */
export type SkillPackage = {
  form: "original" | "spec" | "none";
  name: string;
  description: string;
  files: PackageFile[];
  /** SHA-256 of the ZIP that `getArchive` returns. */
  zipSha256: string;
  zipSize: number;
  problem: string | null;
};
