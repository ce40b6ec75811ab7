import { canonicalJson } from "@/lib/core/json";
import { MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { capText } from "@/lib/skill-format/cap-description";
import { storeMoved } from "@/lib/skill-format/dialects/moved-fields";
import { parseAllowedTools } from "@/lib/skill-format/dialects/tools";
import { isMapping } from "@/lib/skill-format/json-values";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import { validateStrict } from "@/lib/skill-format/manifest/validate-strict";
import type { Diagnostic, JsonObject, SkillManifest } from "@/lib/skill-format/schema";
import { writeYaml } from "./write-yaml";

/** A manifest field outside the specification, and the top-level key from which it is read again. */
type SpecField = { field: keyof SkillManifest; key: string; changesBehaviour?: true };

/** `changesBehaviour`: hiding the field from other agents changes what they do, which is worth a warning. */
const MOVED_FIELDS: readonly SpecField[] = [
  { field: "whenToUse", key: "when_to_use", changesBehaviour: true },
  { field: "label", key: "label" },
  { field: "author", key: "author" },
  { field: "version", key: "version" },
  { field: "homepage", key: "homepage" },
  { field: "category", key: "category" },
  { field: "tags", key: "tags" },
  { field: "depends", key: "depends" },
  { field: "requires", key: "requires", changesBehaviour: true },
  { field: "always", key: "always" },
  { field: "userInvocable", key: "user-invocable", changesBehaviour: true },
  { field: "disableModelInvocation", key: "disable-model-invocation", changesBehaviour: true },
  { field: "declaredClass", key: "class" },
  { field: "scope", key: "scope" },
  { field: "disallowedTools", key: "disallowed-tools", changesBehaviour: true },
  { field: "argumentHint", key: "argument-hint" },
  { field: "arguments", key: "arguments", changesBehaviour: true },
  { field: "agent", key: "agent", changesBehaviour: true },
  { field: "model", key: "model", changesBehaviour: true },
  { field: "effort", key: "effort" },
  { field: "shell", key: "shell", changesBehaviour: true },
  { field: "paths", key: "paths", changesBehaviour: true },
  { field: "requiredCapabilities", key: "required_capabilities" },
  { field: "emoji", key: "emoji" },
];

/**
 * Writes a SKILL.md in the standard form (agentskills.io specification): name, description, license, compatibility,
 * allowed-tools separated by spaces and `context: fork` at the top level, everything else under `metadata`. Reading the
 * result gives the same manifest. Other files stay unchanged. `losses` lists what other agents do not see, or see
 * differently.
 */
export function writeSpec(files: SkillFile[], manifest: SkillManifest): { files: SkillFile[]; losses: Diagnostic[] } {
  const draft = createDraft(manifest);
  // Skips what metadata and the other files already say, unless it would be read from a second spelling.
  const known = readManifestBack(files, draft, manifest);
  const takesMeta = !isSame(known.meta, manifest.meta);
  const isNews = (field: keyof SkillManifest) =>
    !isSame(known[field], manifest[field]) || (takesMeta && hasContent(manifest[field]));
  for (const { field, key } of MOVED_FIELDS) {
    if (!draft.moved.has(key) && manifest[field] !== null && isNews(field))
      draft.moved.set(key, toText(manifest[field], key));
  }
  if (manifest.allowedTools !== null && isNews("allowedTools")) {
    draft.top["allowed-tools"] = writeTools(manifest.allowedTools);
  }
  const written = withSkillMd(files, draft, manifest.body);
  const losses = [...describeLosses(files, manifest, draft), ...describeDifference(written, manifest)];
  return { files: written, losses: losses.map((loss) => ({ path: "SKILL.md", ...loss })) };
}

type Draft = { top: JsonObject; metadata: JsonObject; moved: Map<string, unknown> };

function createDraft(manifest: SkillManifest): Draft {
  const { name, description, license, compatibility, contextFork } = manifest;
  const { metadata, ...rest } = manifest.meta;
  const isPlain = isMapping(metadata) && Object.keys(metadata).length > 0;
  const moved = new Map<string, unknown>(Object.entries(rest));
  if (metadata !== undefined && !isPlain) moved.set("metadata", metadata);
  const top: JsonObject = { name: slugOf(name) || name };
  if (top.name !== name) moved.set("name", name);
  const cut = (key: string, text: string | null, max: number) => {
    if (text === null || text === "") return;
    top[key] = capText(text, max);
    if (top[key] !== text) moved.set(key, text);
  };
  cut("description", description, MAX_DESCRIPTION_CHARS);
  if (license !== null) top.license = license;
  cut("compatibility", compatibility, MAX_COMPATIBILITY_CHARS);
  if (contextFork) top.context = "fork";
  return { top, metadata: isPlain ? metadata : {}, moved };
}

/** Whether a field has a value. An empty list counts, because it allows no tools. */
function hasContent(value: unknown): boolean {
  return value !== null && value !== false && canonicalJson(value) !== "{}";
}

/**
 * Writes lists as comma-separated text if that reads as the same list; words of `arguments` are split at spaces too.
 */
function toText(value: unknown, key: string): unknown {
  if (!Array.isArray(value) || value.length === 0 || key === "arguments") return value;
  const isPlain = value.every((item) => typeof item === "string" && item !== "" && !/^[[{\s]|,|\s$/.test(item));
  return isPlain ? value.join(", ") : value;
}

/** Words separated by spaces, or a list for patterns that this would split. */
function writeTools(patterns: string[]): string | string[] {
  const text = patterns.join(" ");
  return isSame(parseAllowedTools(text), patterns) ? text : patterns;
}

function withSkillMd(files: SkillFile[], draft: Draft, body: string): SkillFile[] {
  const metadata = storeMoved(draft.metadata, draft.moved);
  const values = Object.keys(metadata).length === 0 ? draft.top : { ...draft.top, metadata };
  const text = `---\n${writeYaml(values)}---\n${body}`;
  const old = files.find(isSkillMd);
  const file: SkillFile = { path: "SKILL.md", mode: old?.mode ?? "644", bytes: new TextEncoder().encode(text) };
  return [file, ...files.filter((other) => !isSkillMd(other))];
}

function isSkillMd({ path }: SkillFile): boolean {
  return /^skill\.md$/i.test(path);
}

function readManifestBack(files: SkillFile[], draft: Draft, { name, body }: SkillManifest): SkillManifest {
  return readSkill(withSkillMd(files, draft, body), { folder: name }).manifest;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

type Loss = Pick<Diagnostic, "code" | "severity" | "message">;

function describeLosses(files: SkillFile[], manifest: SkillManifest, { top, metadata, moved }: Draft): Loss[] {
  const losses: Loss[] = [];
  const add = (code: string, severity: Loss["severity"], message: string) => losses.push({ code, severity, message });
  const old = files.find(isSkillMd);
  if (old !== undefined && old.path !== "SKILL.md") add("spec_renamed", "info", `${old.path} becomes SKILL.md.`);
  if (moved.has("name")) {
    const message = `Other agents see the name ${top.name}, because “${manifest.name}” is not valid in the specification.`;
    add("spec_name", "warning", message);
  }
  for (const key of ["description", "compatibility"]) {
    if (moved.has(key))
      add(`spec_${key}`, "warning", `Other agents see only the beginning of the ${key}, because it is too long.`);
  }
  if (top.description === undefined)
    add("spec_description_missing", "warning", "The skill has no description, so strict loaders skip it.");
  if (Array.isArray(top["allowed-tools"]))
    add("spec_allowed_tools", "warning", "allowed-tools stays a list, because one text would mean other tools.");
  if (top.context === "fork") {
    const message = "“context: fork” is not in the specification. Other agents ignore it or warn.";
    add("spec_context", "info", message);
  }
  for (const key of moved.keys()) {
    if (top[key] !== undefined) continue;
    const severity = CHANGES_BEHAVIOUR.has(key) ? "warning" : "info";
    add("spec_moved", severity, `“${key}” moves under metadata, which most agents do not read.`);
  }
  const nested = Object.entries(metadata).filter(([, value]) => typeof value === "object" && value !== null);
  if (nested.length > 0) {
    const names = nested.map(([key]) => key).join(", ");
    const message = `metadata contains more than texts (${names}), which the specification does not allow.`;
    add("spec_metadata_nested", "info", message);
  }
  const others = files
    .filter((file) => (file.path === "skill.json" && manifest.kind === "pack") || file.path === "skill.toml")
    .map((file) => file.path);
  if (others.length > 0) {
    const message = `Other agents do not know ${others.join(" and ")}. They see a text and files, but nothing to run.`;
    add("spec_not_run", "warning", message);
  }
  return losses;
}

const CHANGES_BEHAVIOUR: ReadonlySet<string> = new Set([
  ...MOVED_FIELDS.filter((field) => field.changesBehaviour === true).map((field) => field.key),
  ...["hooks", "activation", "tools", "required_environment_variables", "prerequisites", "platforms", "install"],
]);

function describeDifference(written: SkillFile[], manifest: SkillManifest): Loss[] {
  const again: JsonObject = readSkill(written, { folder: manifest.name }).manifest;
  const different = Object.entries(manifest).filter(([key, value]) => key !== "carries" && !isSame(again[key], value));
  if (different.length === 0) return [];
  const names = different.map(([key]) => key).join(", ");
  const message = `These fields would change when the file is read again: ${names}.`;
  return [{ code: "spec_differs", severity: "warning", message }];
}

/** A name that every client accepts: `pdf`, `tidy-notes`. */
export const PORTABLE_NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Findings that strict clients tolerate: unknown fields, and texts that the index cuts. */
const HARMLESS = new Set(["strict_unexpected_fields", "strict_compatibility_long", "strict_compatibility_type"]);

export type PortableFiles = {
  form: "original" | "spec";
  files: SkillFile[];
};

/** The files for distribution, with a rewritten SKILL.md if clients need it; null if they cannot load either. */
export function portableFiles(name: string, stored: SkillFile[], manifest: SkillManifest): PortableFiles | null {
  if (isLoadable(name, stored)) return { form: "original", files: stored };
  const { files } = writeSpec(stored, { ...manifest, name });
  return isLoadable(name, files) ? { form: "spec", files } : null;
}

/** Whether every client can load these files under the name. Only SKILL.md matters. */
export function isLoadable(name: string, files: SkillFile[]): boolean {
  const marker = files.find(({ path }) => path === "SKILL.md");
  if (marker === undefined || files.some(({ path }) => path !== "SKILL.md" && /^skill\.md$/i.test(path))) return false;
  return validateStrict(name, [marker]).every(({ severity, code }) => severity !== "error" || HARMLESS.has(code));
}
