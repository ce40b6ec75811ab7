import type { JsonObject } from "@/lib/skill-format/schema";

/**
 * Writes block-style YAML that YAML 1.1 and 1.2 readers, and readers that take every scalar as a string, read alike:
 * strings in double quotes unless they are plain words, nothing folded, brackets only for empty lists and mappings.
 */
export function writeYaml(values: JsonObject): string {
  return writeMap(values, "");
}

function writeMap(values: JsonObject, indent: string): string {
  return Object.entries(values)
    .map(([key, value]) => `${indent}${writeText(key)}:${writeValue(value, indent)}`)
    .join("");
}

function writeValue(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.length === 0
      ? " []\n"
      : `\n${value.map((item) => `${indent}  -${writeValue(item, `${indent}  `)}`).join("")}`;
  }
  if (typeof value === "object" && value !== null) {
    const inner = writeMap({ ...value }, `${indent}  `);
    return inner === "" ? " {}\n" : `\n${inner}`;
  }
  return ` ${writeScalar(value)}\n`;
}

function writeScalar(value: unknown): string {
  if (typeof value === "string") return writeText(value);
  return value === null || value === undefined ? "null" : String(value);
}

// Words that some YAML version does not read as strings.
const RESERVED = /^(true|false|yes|no|on|off|y|n|null)$/i;
const PLAIN = /^[A-Za-z](?:[\w .,()/+-]*[\w.)/+])?$/;
// Allowed in JSON but not in YAML, or read as line breaks.
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function writeText(text: string): string {
  if (PLAIN.test(text) && !RESERVED.test(text)) return text;
  return JSON.stringify(text).replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
