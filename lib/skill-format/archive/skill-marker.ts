import { parseJsonStrict } from "@/lib/skill-format/frontmatter/parse-json-strict";
import { isMapping } from "@/lib/skill-format/json-values";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { decodeText } from "./decode-text";
import { MAX_SKILL_JSON_BYTES } from "./limits";

const MARKER = /^(?:[sS][kK][iI][lL][lL]\.[mM][dD]|skill\.json|skill\.toml)$/;

/** Whether a file makes its folder a skill: `SKILL.md` in any letter case, `skill.json` or `skill.toml`. */
export function isSkillMarker(path: string): boolean {
  return MARKER.test(path.slice(path.lastIndexOf("/") + 1));
}

/** The keys without which a skill.json is no pack's. */
const REQUIRED_KEYS = ["name", "description", "entry"] as const;

/**
 * Which keys that a pack's `skill.json` must have are missing in one. Registries and other programs keep files of the same
 * name. Where the JSON cannot be read, a key counts that stands in its text.
 */
export function missingPackKeys(bytes: Uint8Array): string[] {
  const text = decodeText(bytes);
  if (text === null) return [...REQUIRED_KEYS];
  const json = bytes.length > MAX_SKILL_JSON_BYTES ? null : parseJsonStrict(text);
  return REQUIRED_KEYS.filter((key) =>
    json?.ok ? !isMapping(json.value) || !Object.hasOwn(json.value, key) : !new RegExp(`"${key}"\\s*:`).test(text),
  );
}

/** The note about a `skill.json` that is no pack's, where another file says what the skill is. */
export function describeForeign(path: string, missing: readonly string[]): Diagnostic {
  const keys = missing.map((key) => `“${key}”`).join(" and ");
  const message = `This skill.json is not a pack's: it has no ${keys}. It is kept as a file and not read.`;
  // What names an entry was probably meant as a pack.
  const severity = missing.includes("entry") ? "info" : "warning";
  return { code: "skill_json_foreign", severity, path, message };
}
