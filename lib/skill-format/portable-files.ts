import type { SkillFile } from "./archive/skill-file";
import { validateStrict } from "./arguments/validate-strict";
import { writeSpec } from "./export/write-spec";
import type { SkillManifest } from "./schema";

/** A name that every client takes: `pdf`, `tidy-notes`. */
export const PORTABLE_NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What strict clients do not mind: fields they do not know, and texts that the index gives them cut. */
const HARMLESS = new Set(["strict_unexpected_fields", "strict_compatibility_long", "strict_compatibility_type"]);

export type PortableFiles = {
  /** The bytes as stored, or with a SKILL.md in the form of the specification. */
  form: "original" | "spec";
  files: SkillFile[];
};

/**
 * The files of a skill as they leave the house under a name: unchanged when every client can load their SKILL.md, else with the
 * SKILL.md written anew. Null when none can be made of it that clients load.
 */
export function portableFiles(name: string, stored: SkillFile[], manifest: SkillManifest): PortableFiles | null {
  if (isLoadable(name, stored)) return { form: "original", files: stored };
  const { files } = writeSpec(stored, { ...manifest, name });
  return isLoadable(name, files) ? { form: "spec", files } : null;
}

/** Whether every client can load these files under the name as they are; what stands beside a SKILL.md does not matter. */
export function isLoadable(name: string, files: SkillFile[]): boolean {
  const marker = files.find(({ path }) => path === "SKILL.md");
  if (marker === undefined || files.some(({ path }) => path !== "SKILL.md" && /^skill\.md$/i.test(path))) return false;
  return validateStrict(name, [marker]).every(({ severity, code }) => severity !== "error" || HARMLESS.has(code));
}
