import type { YamlMapping } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { isDangerousKey, isMapping, parseJsonStrict } from "@/lib/skill-format/json-values";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import type { JsonObject } from "@/lib/skill-format/schema";

/**
 * Entry of `metadata` that lists the entries moved from the top level: names separated by spaces, `stored=name` where
 * the name was taken, `:json` after values that are not strings. Names are URI-encoded.
 */
const MARKER = "skillgate-moved";

/** Creates the `metadata` entries that `restoreMoved` moves back. Strings stay strings; other values become JSON. */
export function storeMoved(metadata: JsonObject, moved: ReadonlyMap<string, unknown>): JsonObject {
  if (moved.size === 0) return metadata;
  const stored: JsonObject = { ...metadata };
  const list = [...moved].map(([key, value]) => {
    const text = typeof value === "string" ? value : null;
    let name = isTopLevelOnly(key) ? `original-${key}` : key;
    while (Object.hasOwn(stored, name) || name === MARKER) name = `original-${name}`;
    stored[name] = text ?? JSON.stringify(value);
    const suffix = text === null ? ":json" : "";
    return `${name === key ? "" : `${encodeURIComponent(name)}=`}${encodeURIComponent(key)}${suffix}`;
  });
  return { ...stored, [MARKER]: list.join(" ") };
}

/** Moves the listed entries back, never over a field that other agents read. `kept` are values for `meta`. */
export function restoreMoved(mapping: YamlMapping): { mapping: YamlMapping; kept: JsonObject } {
  const { metadata } = mapping.values;
  const marker = isMapping(metadata) ? metadata[MARKER] : undefined;
  if (!isMapping(metadata) || typeof marker !== "string") return { mapping, kept: {} };
  const kept: JsonObject = {};
  const rest = { ...metadata };
  delete rest[MARKER];
  const restored: YamlMapping = {
    ...mapping,
    values: { ...mapping.values },
    texts: new Map(mapping.texts),
    lines: new Map(mapping.lines),
  };
  let replacesMetadata = false;
  for (const token of marker.split(" ")) {
    const entry = readToken(token, metadata);
    if (entry === null) continue;
    if (isNoField(entry, mapping)) {
      kept[entry.key] = entry.value;
      delete rest[entry.stored];
      continue;
    }
    if (!mayRestore(entry, mapping)) continue;
    restored.values[entry.key] = entry.value;
    if (typeof entry.value === "string") restored.texts.set(entry.key, entry.value);
    restored.lines.set(entry.key, mapping.lines.get("metadata") ?? 1);
    delete rest[entry.stored];
    replacesMetadata ||= entry.key === "metadata";
  }
  if (!replacesMetadata) restored.values.metadata = rest;
  if (!replacesMetadata && Object.keys(rest).length === 0) delete restored.values.metadata;
  return { mapping: restored, kept };
}

function isNoField({ key, value }: Entry, { texts }: YamlMapping): boolean {
  return (key === "name" || key === "description") && typeof value === "object" && texts.has(key);
}

type Entry = { stored: string; key: string; value: unknown };

function readToken(token: string, metadata: JsonObject): Entry | null {
  const isJson = token.endsWith(":json");
  const [first = "", second] = (isJson ? token.slice(0, -5) : token).split("=");
  try {
    const stored = decodeURIComponent(first);
    const key = decodeURIComponent(second ?? first);
    const text = Object.hasOwn(metadata, stored) ? metadata[stored] : undefined;
    if (typeof text !== "string" || key === "" || isDangerousKey(key)) return null;
    if (!isJson) return { stored, key, value: text };
    const json = parseJsonStrict(text);
    return json.ok ? { stored, key, value: json.value } : null;
  } catch {
    return null;
  }
}

/**
 * Other agents ignore the list and read the top level, so a restored name must be another spelling of the visible one,
 * and a restored description or compatibility must begin with it.
 */
function mayRestore({ key, value }: Entry, { values, texts }: YamlMapping): boolean {
  const shown = texts.get(key);
  if (key === "metadata" || !Object.hasOwn(values, key)) return true;
  if (typeof value !== "string" || shown === undefined) return false;
  if (key === "name") return slugOf(value) === shown;
  if (key === "description" || key === "compatibility") {
    return shown.endsWith("…") && shown.length > 400 && value.startsWith(shown.slice(0, -1));
  }
  return false;
}

function isTopLevelOnly(key: string): boolean {
  return ["name", "description", "compatibility", "license", "metadata"].includes(key);
}
