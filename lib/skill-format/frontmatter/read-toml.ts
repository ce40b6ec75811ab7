import { parse, TomlDate, TomlError } from "smol-toml";
import { isDangerousKey, isMapping, storableText } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";

export type ReadToml = { ok: true; value: JsonObject } | { ok: false; line: number; message: string };

const MAX_DEPTH = 32;

/** Reads TOML 1.0 as plain JSON, with dates as strings. Drops keys such as `__proto__`. Never throws. */
export function readToml(text: string): ReadToml {
  try {
    const value = toJson(parse(text, { maxDepth: MAX_DEPTH }), 0);
    return isMapping(value) ? { ok: true, value } : { ok: false, line: 1, message: "it is not a table" };
  } catch (error) {
    if (!(error instanceof TomlError)) return { ok: false, line: 1, message: "it cannot be read" };
    const message = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? "it cannot be read";
    return { ok: false, line: error.line, message };
  }
}

function toJson(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError("too deep");
  if (typeof value === "string") return storableText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((item: unknown) => toJson(item, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof TomlDate) return value.toISOString();
  const entries = Object.entries(value).filter(([key]) => !isDangerousKey(key));
  return Object.fromEntries(entries.map(([key, item]) => [storableText(key), toJson(item, depth + 1)]));
}
