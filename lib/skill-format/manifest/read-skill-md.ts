import { decodeSkillText } from "@/lib/skill-format/archive/decode-text";
import { applyDialects, describeUnknown } from "@/lib/skill-format/dialects/apply-dialects";
import type { SkillPart } from "@/lib/skill-format/dialects/dialect";
import { restoreMoved } from "@/lib/skill-format/dialects/moved-fields";
import { SKILL_MD_DIALECTS } from "@/lib/skill-format/dialects/tables";
import { NO_TOOL } from "@/lib/skill-format/dialects/tools";
import { findInlineCommands } from "@/lib/skill-format/find-executables";
import { type ParsedFrontmatter, parseFrontmatter } from "@/lib/skill-format/frontmatter/parse-frontmatter";
import type { YamlMapping } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { isMapping } from "@/lib/skill-format/json-values";
import { type Diagnostic, type JsonObject, NO_REQUIREMENTS } from "@/lib/skill-format/schema";
import { knownFieldFor } from "../dialects/field-names";
import { parseAllowedTools } from "../dialects/tools";

export type SkillMdPart = SkillPart & {
  stage: ParsedFrontmatter["stage"];
  topLevel: ReadonlySet<string>;
};

/** Fields that restrict who is offered a skill and what it may use, by folded key. */
const LIMITS: Readonly<Record<string, string>> = {
  ...{ allowedtools: "allowed-tools", disallowedtools: "disallowed-tools", metadata: "metadata", requires: "requires" },
  ...{ prerequisites: "prerequisites", requiredcapabilities: "required_capabilities", platforms: "platforms" },
  ...{ requiredenvironmentvariables: "required_environment_variables" },
  ...{ disablemodelinvocation: "disable-model-invocation" },
};
const READ: ReadonlySet<string> = new Set([
  ...Object.values(LIMITS),
  ...["allowed_tools", "allowedTools", "Allowed-Tools", "disable_model_invocation"],
  ...["disallowed_tools", "disallowedTools", "Disallowed-Tools"],
]);

/** Reads a SKILL.md in any known dialect. Never throws. Unknown fields stay in `meta`. */
export function readSkillMd(file: { path: string; bytes: Uint8Array }): SkillMdPart {
  const { path } = file;
  const decoded = decodeSkillText(file.bytes, path);
  const { mapping: parsed, body, stage, blockLine, diagnostics: problems } = parseFrontmatter(decoded.text, path);
  const inlineCommands = findInlineCommands(body);
  if (parsed === null) {
    const lost = describeUnreadable(decoded.text, problems, path);
    const diagnostics = [...decoded.diagnostics, ...problems, ...lost.diagnostics];
    return { fields: { body, inlineCommands, ...lost.fields }, meta: {}, stage, topLevel: new Set(), diagnostics };
  }
  const topLevel = new Set(Object.keys(parsed.values));
  const { mapping: restored, kept } = restoreMoved(parsed);
  const named = normalizeNameFields(restored);
  const { mapping, renames } = normalizeLimits(named.mapping);
  for (const { key, field } of [...named.renames, ...renames]) {
    const message = `"${key}" is read as "${field}". Most agents do not know it.`;
    const line = (parsed.lines.get(key) ?? 1) + blockLine - 1;
    problems.push({ code: "key_respelled", severity: "warning", path, line, message });
  }
  const { fields, meta, diagnostics } = applyDialects(mapping, { path, firstLine: blockLine }, SKILL_MD_DIALECTS);
  if (fields.name !== undefined) fields.name = fields.name.trim();
  fields.body = body;
  fields.inlineCommands = inlineCommands;
  Object.assign(meta, kept);
  const unknown = describeUnknown(Object.keys(mapping.values), path, SKILL_MD_DIALECTS, ["steps"]);
  return {
    ...{ fields, meta, stage, topLevel },
    diagnostics: [...decoded.diagnostics, ...problems, ...diagnostics, ...unknown],
  };
}

// Keys that restrict who is offered the skill and what it may use, in any dialect.
const REQUIRES =
  /(?:^|[\s{,"'])(?:metadata|requires|prerequisites|required_environment_variables|required_capabilities|platforms)["']?\s*:/;
const LIMITS_TOOLS = /(?:^|[\s{,"'])(?:dis)?allowed[-_]?tools["']?\s*:/i;
const UNREAD: ReadonlySet<string> = new Set(["yaml_invalid", "frontmatter_too_large", "fence_unclosed"]);

/** An unreadable frontmatter may have contained requirements or tool limits, so both count as unmet. */
function describeUnreadable(
  text: string,
  problems: Diagnostic[],
  path: string,
): Pick<SkillPart, "fields" | "diagnostics"> {
  const isUnread = problems.some(({ code }) => UNREAD.has(code));
  if (!isUnread || !(REQUIRES.test(text) || LIMITS_TOOLS.test(text))) return { fields: {}, diagnostics: [] };
  const message = "The frontmatter cannot be read, so its requirements are unknown. The skill is not eligible.";
  return {
    fields: {
      requirements: { ...NO_REQUIREMENTS, invalid: true },
      ...(LIMITS_TOOLS.test(text) && { allowedTools: [NO_TOOL] }),
    },
    diagnostics: [{ code: "requirements_invalid", severity: "warning", path, message }],
  };
}

type RenamedKey = { key: string; field: string };

/** Renames keys that mean name and description in another letter case or language, unless the mapping has both. */
function normalizeNameFields(mapping: YamlMapping): { mapping: YamlMapping; renames: RenamedKey[] } {
  const { values } = mapping;
  const missing = ["name", "description"].filter((field) => !Object.hasOwn(values, field));
  if (missing.length === 0) return { mapping, renames: [] };
  const renames = missing.flatMap((field) => {
    const key = Object.keys(values).find(
      (candidate) => knownFieldFor(candidate) === field && mapping.texts.has(candidate),
    );
    return key === undefined ? [] : [{ key, field }];
  });
  if (renames.length === 0) return { mapping, renames };
  return { mapping: renameKeys(mapping, renames), renames };
}

function renameKeys(mapping: YamlMapping, renames: readonly RenamedKey[]): YamlMapping {
  const renamed = new Map(renames.map(({ key, field }) => [key, field]));
  const rename = <T>(map: Map<string, T>) => new Map([...map].map(([key, value]) => [renamed.get(key) ?? key, value]));
  return {
    ...mapping,
    values: Object.fromEntries(Object.entries(mapping.values).map(([key, value]) => [renamed.get(key) ?? key, value])),
    texts: rename(mapping.texts),
    sources: rename(mapping.sources),
    comments: rename(mapping.comments),
    lines: rename(mapping.lines),
  };
}

/**
 * Brings restricting fields under the names that dialects read: expands merge keys (`<<`), renames other letter cases,
 * and joins all spellings of `disallowed-tools`. Never replaces a key that is read already.
 */
function normalizeLimits(mapping: YamlMapping): { mapping: YamlMapping; renames: RenamedKey[] } {
  const merged: YamlMapping = { ...mapping, values: expandMerges(mapping.values) };
  const keys = Object.keys(merged.values);
  const renames: RenamedKey[] = [];
  for (const key of keys) {
    const field = limitFor(key);
    if (field === null || READ.has(key)) continue;
    const isTaken = [...keys, ...renames.map((other) => other.field)].some(
      (other) => other !== key && READ.has(other) && limitFor(other) === field,
    );
    if (!isTaken) renames.push({ key, field });
  }
  const renamed = renames.length === 0 ? merged : renameKeys(merged, renames);
  return { mapping: joinDenied(renamed), renames };
}

function limitFor(key: string): string | null {
  const letters = key.toLowerCase().replace(/[\s_-]/g, "");
  return Object.hasOwn(LIMITS, letters) ? (LIMITS[letters] ?? null) : null;
}

function expandMerges(values: JsonObject): JsonObject {
  const { "<<": merge, ...rest } = values;
  const sources = Array.isArray(merge) ? merge : [merge];
  const own = sources.every(isMapping) ? rest : values;
  const added = sources.filter(isMapping).map(expandMerges).reverse();
  const inner = Object.entries(own).map(([key, value]) => [key, isMapping(value) ? expandMerges(value) : value]);
  return Object.assign(Object.fromEntries(inner), ...added, Object.fromEntries(inner));
}

function joinDenied(mapping: YamlMapping): YamlMapping {
  const keys = Object.keys(mapping.values).filter((key) => limitFor(key) === "disallowed-tools");
  const [first, ...others] = keys;
  if (first === undefined || others.length === 0) return mapping;
  const items = keys.flatMap((key) => {
    const value = mapping.values[key];
    if (typeof value === "string") return parseAllowedTools(value) ?? [];
    return value === null ? [] : value;
  });
  const rest = Object.entries(mapping.values).filter(([key]) => !keys.includes(key));
  const lines = new Map(mapping.lines).set("disallowed-tools", mapping.lines.get(first) ?? 1);
  return { ...mapping, values: { ...Object.fromEntries(rest), "disallowed-tools": items }, lines };
}
