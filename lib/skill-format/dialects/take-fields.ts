import { isMapping } from "@/lib/skill-format/json-values";
import type { Diagnostic, JsonObject } from "@/lib/skill-format/schema";

/** What is read from: a mapping, and where it is known, the text of a value as written and the line of a key. */
export type FieldSource = {
  values: JsonObject;
  texts: Map<string, string>;
  /** Line in the file of each key. */
  lines: Map<string, number>;
  path: string;
};

export type FieldTaker = {
  text(...keys: string[]): string | null;
  flag(...keys: string[]): boolean | null;
  list(...keys: string[]): string[] | null;
  map(key: string): JsonObject | null;
  /** The value of the first key that is there, of any type. */
  any(...keys: string[]): unknown;
  /** Leaves a value that was taken in `rest()`, with a warning. */
  giveBack(key: string, code: string, message: string): void;
  rest(): JsonObject;
  diagnostics: Diagnostic[];
};

/**
 * Takes known fields out of a mapping one by one; what is never taken, or has another type than asked for, stays in
 * `rest()` as it was. With several spellings the first that is there counts.
 */
export function takeFields(source: FieldSource): FieldTaker {
  const rest = { ...source.values };
  const diagnostics: Diagnostic[] = [];
  const warn = (key: string, code: string, message: string) => {
    const line = source.lines.get(key);
    diagnostics.push({ code, severity: "warning", path: source.path, ...(line && { line }), message });
  };
  const take = <T>(keys: string[], expected: string, read: (value: unknown, key: string) => T | null): T | null => {
    const [key, ...others] = keys.filter((name) => isPresent(source.values[name]));
    if (key === undefined) {
      for (const name of keys) delete rest[name];
      return null;
    }
    for (const other of others)
      warn(other, "field_repeated", `"${other}" is another spelling of "${key}" and not used.`);
    const value = read(source.values[key], key);
    if (value === null) warn(key, "field_type", `"${key}" should be ${expected}; it is kept as it is and not used.`);
    else delete rest[key];
    return value;
  };
  return {
    diagnostics,
    text: (...keys) => take(keys, "a text", (value, key) => source.texts.get(key) ?? joinTexts(value)),
    flag: (...keys) => take(keys, "true or false", readFlag),
    list: (...keys) => take(keys, "a list of texts", readList),
    map: (key) => take([key], "a mapping", readMap),
    any: (...keys) => take(keys, "", (value) => ({ value }))?.value,
    giveBack(key, code, message) {
      rest[key] = source.values[key];
      warn(key, code, message);
    },
    rest: () => rest,
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function joinTexts(value: unknown): string | null {
  return Array.isArray(value) && value.length > 0 && value.every(isText) ? value.join(", ") : null;
}

function readFlag(value: unknown): boolean | null {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : null;
}

function readList(value: unknown): string[] | null {
  if (typeof value === "string")
    return value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  if (!Array.isArray(value)) return null;
  const items = value.map((item: unknown) => (typeof item === "number" ? String(item) : item));
  return items.every(isText) ? items : null;
}

function readMap(value: unknown): JsonObject | null {
  return isMapping(value) ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
