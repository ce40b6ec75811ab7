import { isMapping } from "./json-values";
import type { JsonObject } from "./schema";

const MAX_CHARS = 65_536;
const MAX_DEPTH = 32;
const NAME = "[A-Za-z_][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)*";
const BARE = new RegExp(`\\{(${NAME})\\}`, "y");
const PLACES = new RegExp(`\\{\\{(${NAME})\\}\\}|\\{(${NAME})\\}`, "g");
const WHOLE = new RegExp(`^\\{(${NAME})\\}$`);

/** `argument` is the top-level argument whose whole value the placeholder is; null for any other position. */
export type Placeholder = { name: string; argument: string | null };

/** Only `parseTemplate` creates one. */
export type Template = { value: JsonObject; placeholders: Placeholder[] };

/**
 * Reads the arguments of a step: a JSON object in which `{name}` is a placeholder for a whole value (with or without
 * quotes) or within a string, `{name.field}` is a part of it, and `{{name}}` the text `{name}`. At most 65,536
 * characters and 32 levels. Never throws.
 */
export function parseTemplate(text: string): { ok: true; template: Template } | { ok: false; message: string } {
  if (text.length > MAX_CHARS) return { ok: false, message: `is longer than ${MAX_CHARS} characters` };
  const quoted = quoteBare(text);
  if (quoted === null) return { ok: false, message: `is nested more than ${MAX_DEPTH} levels deep` };
  let value: unknown;
  try {
    value = JSON.parse(quoted);
  } catch (error) {
    return { ok: false, message: `is not JSON: ${error instanceof Error ? error.message : "unreadable"}` };
  }
  if (!isMapping(value)) return { ok: false, message: "is not a JSON object" };
  const placeholders: Placeholder[] = [];
  const wrongKey = collect(value, [], placeholders);
  if (wrongKey !== null) return { ok: false, message: `has a placeholder in the key "${wrongKey}"` };
  return { ok: true, template: { value, placeholders } };
}

function quoteBare(text: string): string | null {
  let quoted = "";
  let isInText = false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (isInText && char === "\\") {
      quoted += text.slice(at, at + 2);
      at += 1;
      continue;
    }
    if (char === '"') isInText = !isInText;
    BARE.lastIndex = at;
    const [found] = (!isInText && char === "{" && BARE.exec(text)) || [];
    if (found !== undefined) {
      quoted += `"${found}"`;
      at += found.length - 1;
      continue;
    }
    if (!isInText && (char === "{" || char === "[")) depth += 1;
    if (!isInText && (char === "}" || char === "]")) depth -= 1;
    if (depth > MAX_DEPTH) return null;
    quoted += char;
  }
  return quoted;
}

function collect(value: unknown, path: string[], found: Placeholder[]): string | null {
  if (typeof value === "string") {
    const whole = WHOLE.exec(value)?.[1];
    const [argument = null] = whole !== undefined && path.length === 1 ? path : [];
    for (const [, , name] of value.matchAll(PLACES)) if (name !== undefined) found.push({ name, argument });
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value) && [...key.matchAll(PLACES)].some(([, , name]) => name !== undefined)) return key;
    const wrong = collect(item, [...path, key], found);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** The pipeline's arguments and the results of earlier steps, by name. */
export type TemplateValues = ReadonlyMap<string, unknown>;

/**
 * Replaces every placeholder. A whole value keeps its JSON type; within a string, strings are inserted as they are and
 * other values as JSON. Inserted values are never parsed, so they cannot change the structure. Names without a value
 * are returned as `unknown`.
 */
export function renderTemplate(
  { value }: Template,
  values: TemplateValues,
): { ok: true; args: JsonObject } | { ok: false; unknown: string[] } {
  const unknown = new Set<string>();
  const look = (name: string): unknown => {
    const found = lookUp(name, values);
    if (found === undefined) unknown.add(name);
    return found;
  };
  const fill = (item: unknown): unknown => {
    if (typeof item === "string") return fillText(item, look);
    if (Array.isArray(item)) return item.map(fill);
    return isMapping(item) ? fillMapping(item) : item;
  };
  const fillMapping = (item: JsonObject) =>
    Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, fill(inner)]));
  const args = fillMapping(value);
  return unknown.size > 0 ? { ok: false, unknown: [...unknown] } : { ok: true, args };
}

function fillText(text: string, look: (name: string) => unknown): unknown {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return look(whole);
  return text.replace(PLACES, (_all, literal: string | undefined, name: string) => {
    if (literal !== undefined) return `{${literal}}`;
    const value = look(name);
    return typeof value === "string" ? value : JSON.stringify(value ?? null);
  });
}

function lookUp(name: string, values: TemplateValues): unknown {
  if (values.has(name)) return values.get(name);
  const [root = "", ...path] = name.split(".");
  let value = values.get(root);
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
