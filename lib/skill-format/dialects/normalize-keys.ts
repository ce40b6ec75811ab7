import type { YamlMapping } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";
import { knownFieldFor } from "./field-names";
import { parseAllowedTools } from "./tools";

export type RenamedKey = { key: string; field: string };

/** Renames keys that mean name and description in another letter case or language, unless the mapping has both. */
export function normalizeNameFields(mapping: YamlMapping): { mapping: YamlMapping; renames: RenamedKey[] } {
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

export function renameKeys(mapping: YamlMapping, renames: readonly RenamedKey[]): YamlMapping {
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

/**
 * Brings restricting fields under the names that dialects read: expands merge keys (`<<`), renames other letter cases,
 * and joins all spellings of `disallowed-tools`. Never replaces a key that is read already.
 */
export function normalizeLimits(mapping: YamlMapping): { mapping: YamlMapping; renames: RenamedKey[] } {
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

export function limitFor(key: string): string | null {
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
