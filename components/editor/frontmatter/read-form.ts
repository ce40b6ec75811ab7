import { isObject } from "@/components/json/diff-json";
import { parseAllowedTools } from "@/lib/skill-format/dialects/tools";
import {
  emptyMapping,
  isFailure,
  parseYamlBlock,
  type YamlMapping,
} from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { FORM_FIELDS, type FormField, type FormKey } from "./form-fields";
import { locateBlock } from "./locate-block";

/** Entries of a mapping; `null` for a value that is not text. */
export type MapEntries = readonly { key: string; value: string | null }[];

export type FieldValue =
  | { kind: "unset" }
  | { kind: "text"; text: string }
  | { kind: "flag"; on: boolean }
  | { kind: "items"; items: readonly string[] }
  | { kind: "entries"; entries: MapEntries }
  /** A value that only the text view can show, such as a mapping in a text field. */
  | { kind: "other" };

export type FormValues = Record<FormKey, FieldValue>;
export type FormReading =
  | { ok: true; values: FormValues }
  /** `line` counts from 1 in the file. */
  | { ok: false; line: number; message: string };

/** Reads the form values of a SKILL.md; not ok while the frontmatter is not valid YAML. */
export function readForm(text: string): FormReading {
  const block = locateBlock(text);
  if (block.kind === "broken") return { ok: false, line: 1, message: block.message };
  const yaml = block.kind === "found" ? text.slice(block.start, block.end) : "";
  const mapping = yaml.trim() === "" ? emptyMapping() : parseYamlBlock(yaml);
  if (isFailure(mapping)) return { ok: false, line: mapping.line + 1, message: mapping.message };
  const values = FORM_FIELDS.map((field) => [field.key, fieldValue(field, mapping)]);
  return { ok: true, values: Object.fromEntries(values) as FormValues };
}

/** The spelling of the key in the text, else the standard one. */
export function writtenKey(field: FormField, keys: { has(key: string): boolean }): string {
  return [field.key, ...field.spellings].find((key) => keys.has(key)) ?? field.key;
}

function fieldValue(field: FormField, { values, texts, lines }: YamlMapping): FieldValue {
  const key = writtenKey(field, lines);
  const value = values[key];
  if (value === undefined || value === null) return { kind: "unset" };
  const text = texts.get(key);
  switch (field.kind) {
    case "text":
    case "prose":
      return text === undefined ? { kind: "other" } : { kind: "text", text };
    case "flag":
      return typeof value === "boolean" ? { kind: "flag", on: value } : { kind: "other" };
    case "fork":
      return text === undefined ? { kind: "other" } : { kind: "text", text };
    case "tools":
      return toolsOf(value);
    case "list":
      return listOf(value);
    case "map":
      return isObject(value) ? { kind: "entries", entries: entriesOf(value) } : { kind: "other" };
  }
}

function toolsOf(value: unknown): FieldValue {
  const isPlain =
    typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
  return isPlain ? { kind: "items", items: parseAllowedTools(value) ?? [] } : { kind: "other" };
}

function listOf(value: unknown): FieldValue {
  if (typeof value === "string") {
    const items = value.split(",").map((item) => item.trim());
    return { kind: "items", items: items.filter((item) => item !== "") };
  }
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === "string" || typeof item === "number");
  return isPlain ? { kind: "items", items: value.map(String) } : { kind: "other" };
}

function entriesOf(value: Record<string, unknown>): MapEntries {
  return Object.entries(value).map(([key, item]) => ({ key, value: typeof item === "string" ? item : null }));
}
