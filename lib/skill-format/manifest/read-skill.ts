import { isIdShaped } from "@/lib/core/ids";
import { MAX_DESCRIPTION_CHARS, MAX_INFERRED_CHARS, MAX_NAME_CHARS } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { describeForeign, missingPackKeys } from "@/lib/skill-format/archive/split-skills";
import { readField } from "@/lib/skill-format/dialects/field-names";
import { findExecutables } from "@/lib/skill-format/find-executables";
import { findSteps, pipelineSchema, readSteps } from "@/lib/skill-format/pipeline-steps";
import {
  type Diagnostic,
  EMPTY_MANIFEST,
  NO_REQUIREMENTS,
  type Requirements,
  type SkillManifest,
} from "@/lib/skill-format/schema";
import { readOverlay, readSidecars } from "./read-sidecars";
import { readSkillJson } from "./read-skill-json";
import { readSkillMd, type SkillMdPart } from "./read-skill-md";
import { readSkillToml } from "./read-skill-toml";
import { slugOf, spelledSlugOf, toolNameOf } from "./skill-names";

/** Default time limit of a pipeline, per step. */
const SECONDS_PER_STEP = 60;
const MAX_TIMEOUT_SECONDS = 3600;
const OPENJARVIS_VERSION = "0.1.0";

/**
 * Reads the manifest of a skill's files (paths relative to its folder). Never throws on content: problems become
 * diagnostics, of severity error when the skill is unusable. `skill.json` (beside other markers only with a pack's
 * keys) defines a pack, `skill.toml` a pipeline; `SKILL.md` supplies the body and missing fields, sidecar files fill
 * the rest. Requirements of all are merged. `folder` is the fallback name.
 */
export function readSkill(
  files: SkillFile[],
  options: { folder: string },
): { manifest: SkillManifest; diagnostics: Diagnostic[] } {
  const mdFile = files.find((file) => file.path === "SKILL.md") ?? files.find((file) => /^skill\.md$/i.test(file.path));
  const tomlFile = files.find((file) => file.path === "skill.toml");
  const anyJson = files.find((file) => file.path === "skill.json");
  const isAlone = mdFile === undefined && tomlFile === undefined;
  const missingKeys = anyJson === undefined || isAlone ? [] : missingPackKeys(anyJson.bytes);
  const jsonFile = missingKeys.length === 0 ? anyJson : undefined;
  const overlayFile = files.find((file) => file.path === "optimized.toml");
  const md = mdFile === undefined ? EMPTY_PART : readSkillMd(mdFile);
  const json = jsonFile === undefined ? EMPTY_PART : readSkillJson(jsonFile, files);
  const toml = tomlFile === undefined ? EMPTY_PART : readSkillToml(tomlFile);
  const overlay = overlayFile === undefined ? EMPTY_PART : readOverlay(overlayFile);
  // In ascending precedence.
  const parts = [...readSidecars(files), md, toml, json, overlay];
  const diagnostics = [...parts].reverse().flatMap((part) => part.diagnostics);
  if (missingKeys.length > 0) diagnostics.unshift(describeForeign("skill.json", missingKeys));
  if (mdFile === undefined && jsonFile === undefined && tomlFile === undefined) {
    const message = "There is no SKILL.md, skill.json or skill.toml.";
    diagnostics.push({ code: "skill_missing", severity: "error", message });
  }
  if (mdFile !== undefined) diagnostics.push(...describeStrictLoaders(md, mdFile.path));
  const manifest: SkillManifest = { ...EMPTY_MANIFEST };
  for (const part of parts) Object.assign(manifest, part.fields);
  if (mdFile !== undefined && manifest.steps.length === 0) {
    const written = readSteps(findSteps(md.meta), mdFile.path);
    manifest.steps = written.steps;
    diagnostics.push(...written.diagnostics);
  }
  manifest.requirements = mergeParts(parts.map((part) => part.fields.requirements));
  manifest.requires = mergeRequires(manifest);
  // OpenJarvis' default version ("Skills Architecture", SkillManifest).
  if (tomlFile !== undefined && toml.diagnostics.every(({ severity }) => severity !== "error")) {
    manifest.version ??= OPENJARVIS_VERSION;
  }
  manifest.meta = Object.assign({}, md.meta, toml.meta, json.meta);
  manifest.kind = kindOf(manifest, { isPack: jsonFile !== undefined, isToml: tomlFile !== undefined });
  if (manifest.kind === "pipeline" && manifest.steps.length > 0) {
    manifest.schema = pipelineSchema(manifest.steps, null);
    manifest.timeoutSeconds ??= Math.min(SECONDS_PER_STEP * manifest.steps.length, MAX_TIMEOUT_SECONDS);
  }
  manifest.declaredClass ??= strongestClass(manifest);
  manifest.carries = findExecutables(files);
  // A pack's author cannot choose its scope.
  if (manifest.kind === "pack") manifest.scope = "manager";
  if (manifest.kind === "pack" && manifest.declaredClass === null && !diagnostics.some(isInvalidClass)) {
    diagnostics.push(warning("class_missing", "The pack does not declare a class."));
  }
  const mainPath = (jsonFile ?? mdFile ?? tomlFile)?.path;
  diagnostics.push(
    ...fillGaps(manifest, options.folder).filter(({ code }) => !diagnostics.some((other) => other.code === code)),
    ...checkNames(manifest, json.fields.toolName),
    ...checkTexts(manifest),
  );
  return {
    manifest,
    diagnostics: diagnostics.map((item) => (mainPath === undefined ? item : { path: mainPath, ...item })),
  };
}

const EMPTY_PART: SkillMdPart = { fields: {}, meta: {}, diagnostics: [], stage: "none", topLevel: new Set() };

function kindOf(
  manifest: SkillManifest,
  { isPack, isToml }: { isPack: boolean; isToml: boolean },
): SkillManifest["kind"] {
  if (isPack) return "pack";
  if (manifest.steps.length > 0) return "pipeline";
  // A skill.toml without steps only describes the playbook beside it.
  return isToml && manifest.body.trim() === "" ? "pipeline" : "playbook";
}

/** The strongest class of the declared tools; null if all only read, which says nothing about the rest. */
function strongestClass({ tools }: SkillManifest): SkillManifest["declaredClass"] {
  if (tools.some((tool) => tool.class === "dangerous")) return "dangerous";
  return tools.some((tool) => tool.class === "mutating") ? "mutating" : null;
}

function mergeParts(all: (Requirements | undefined)[]): Requirements {
  const present = all.filter((requirements) => requirements !== undefined);
  const [only] = present;
  if (only === undefined || present.length === 1) return only ?? NO_REQUIREMENTS;
  const list = (key: Exclude<keyof Requirements, "credentials" | "invalid">) => [
    ...new Set(present.flatMap((requirements) => requirements[key])),
  ];
  return {
    ...{ bins: list("bins"), anyBins: list("anyBins"), env: list("env"), os: list("os"), config: list("config") },
    capabilities: list("capabilities"),
    credentials: present.flatMap((requirements) => requirements.credentials),
    unknown: list("unknown"),
    invalid: present.some((requirements) => requirements.invalid),
  };
}

/** The parsed requirements, and those of other programs, as the API returns them. */
function mergeRequires({ requires, requirements }: SkillManifest): SkillManifest["requires"] {
  const others = Object.entries(requires).filter(([key]) => !Object.hasOwn(NO_REQUIREMENTS, key));
  const present = Object.entries(requirements).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  return Object.fromEntries([...others, ...present]);
}

/** Strict loaders skip such a skill silently, so its author should be told. */
function describeStrictLoaders({ stage, fields, topLevel }: SkillMdPart, path: string): Diagnostic[] {
  const missing = (["name", "description"] as const).filter((key) => !topLevel.has(key) || (fields[key] ?? "") === "");
  if (stage === "strict" && missing.length === 0) return [];
  const reason =
    stage === "strict"
      ? `it has no ${missing.join(" and no ")}`
      : "its frontmatter is not valid YAML between --- lines";
  const message = `Strict loaders skip this skill: ${reason}.`;
  return [{ code: "dropped_by_strict_loaders", severity: "warning", path, message }];
}

/** Fills a missing name and description in place, with diagnostics. */
function fillGaps(manifest: SkillManifest, folder: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (manifest.name === "") {
    manifest.name = folder;
    diagnostics.push(warning("name_inferred", "The skill has no name. The folder's name is used."));
  }
  if (manifest.description === "") {
    const inferred = inferDescription(manifest.body);
    manifest.description = inferred ?? "";
    diagnostics.push(
      inferred === null
        ? warning("description_missing", "The skill has no description.")
        : warning("description_inferred", "The skill has no description. The beginning of its text is used."),
    );
  }
  return diagnostics;
}

function checkNames(manifest: SkillManifest, packName: string | undefined): Diagnostic[] {
  const { name } = manifest;
  manifest.slug = slugOf(name) || spelledSlugOf(name);
  manifest.toolName = packName ?? toolNameOf(manifest.slug);
  const diagnostics: Diagnostic[] = [];
  if (isIdShaped(name) || (name !== manifest.slug && isIdShaped(manifest.slug))) {
    diagnostics.push(problem("name_id_shaped", "The name looks like an id (a UUID). Choose another."));
  }
  if (manifest.slug === "") {
    diagnostics.push(problem("name_invalid", `The name "${name}" needs a letter or digit.`));
  } else if (name !== manifest.slug && HIDDEN.test(name)) {
    diagnostics.push(problem("name_invalid", "The name contains control or direction characters."));
  }
  if (name.length > MAX_NAME_CHARS) {
    diagnostics.push(warning("name_long", `The name is longer than ${MAX_NAME_CHARS} characters.`));
  }
  return diagnostics;
}

// Joiners and variation selectors stay allowed: emoji and several scripts need them.
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u;

function checkTexts({ description }: SkillManifest): Diagnostic[] {
  return description.length > MAX_DESCRIPTION_CHARS
    ? [warning("description_long", `The description is longer than ${MAX_DESCRIPTION_CHARS} characters.`)]
    : [];
}

function isInvalidClass({ code, severity }: Diagnostic): boolean {
  return code === "class_invalid" && severity === "error";
}

function warning(code: string, message: string): Diagnostic {
  return { code, severity: "warning", message };
}

function problem(code: string, message: string): Diagnostic {
  return { code, severity: "error", message };
}

/**
 * Derives a description from a playbook's body: a line with `description:` near the top, else the first paragraph, else
 * the first heading; at most 200 characters (GSV's rule for skills without one). Null if there is none.
 */
export function inferDescription(body: string): string | null {
  const lines = linesOf(body);
  const text = findLabelled(lines.slice(0, LABEL_LINES)) ?? findParagraph(lines) ?? findHeading(lines);
  if (text === null || text === "") return null;
  const chars = [...text];
  return chars.length <= MAX_INFERRED_CHARS
    ? text
    : `${chars
        .slice(0, MAX_INFERRED_CHARS - 1)
        .join("")
        .trimEnd()}…`;
}

export function hasLabelledDescription(body: string): boolean {
  return findLabelled(linesOf(body).slice(0, LABEL_LINES)) !== null;
}

const LABEL_LINES = 20;

function linesOf(body: string): string[] {
  return body.split(/\r?\n/, 200).map((line) => line.trim());
}

function findLabelled(lines: string[]): string | null {
  for (const line of lines) {
    const field = /description|描述|说明|説明/i.test(line) ? readField(line) : null;
    const text = field?.startsWith("description:") ? field.slice("description:".length).trim() : "";
    if (text !== "") return text;
  }
  return null;
}

// Headings, rules, comments, tables, fences and `key: value` lines of broken frontmatter.
const NOT_PROSE = /^(#|---|===|\*\*\*|<|\||`{3}|~{3}|[A-Za-z_][\w-]*:(\s|$))/;

function findParagraph(lines: string[]): string | null {
  const start = lines.findIndex((line) => line !== "" && !NOT_PROSE.test(line));
  if (start === -1) return null;
  const paragraph = lines.slice(start);
  const end = paragraph.findIndex((line) => line === "" || line.startsWith("#"));
  return (end === -1 ? paragraph : paragraph.slice(0, end)).join(" ");
}

function findHeading(lines: string[]): string | null {
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line));
  return heading?.replace(/^#+\s+/, "") ?? null;
}
