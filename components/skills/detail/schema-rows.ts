import type { JsonObject } from "@/lib/skill-format/schema";

export type SchemaRow = {
  /** `options.depth`, `paths[]`. */
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  description: string | null;
  defaultText: string | null;
  /** The allowed values, limits and format, in words. */
  limits: string | null;
};

const deepest = 4;

/** The arguments of a JSON Schema as the rows of a table, nested ones below their object. */
export function schemaRows(schema: JsonObject, prefix = "", depth = 0): SchemaRow[] {
  const properties = asObject(schema.properties) ?? {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([key, value]) => {
    const own = asObject(value) ?? {};
    const name = `${prefix}${key}`;
    const row: SchemaRow = {
      name,
      depth,
      type: typeOf(own),
      isRequired: required.includes(key),
      description: textOf(own.description) ?? textOf(own.title),
      defaultText: own.default === undefined ? null : JSON.stringify(own.default),
      limits: limitsOf(own),
    };
    return depth < deepest ? [row, ...nestedRows(own, name, depth)] : [row];
  });
}

function nestedRows(schema: JsonObject, name: string, depth: number): SchemaRow[] {
  const items = asObject(schema.items);
  if (items?.properties) return schemaRows(items, `${name}[].`, depth + 1);
  return schema.properties ? schemaRows(schema, `${name}.`, depth + 1) : [];
}

function typeOf(schema: JsonObject): string {
  const items = asObject(schema.items);
  if (schema.type === "array") return items ? `array of ${typeOf(items)}` : "array";
  if (Array.isArray(schema.type)) return schema.type.filter((type) => typeof type === "string").join(" or ");
  if (typeof schema.type === "string") return schema.type;
  if (schema.enum !== undefined || schema.const !== undefined) return "value";
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return "one of several";
  return textOf(schema.$ref)?.split("/").at(-1) ?? "any";
}

function limitsOf(schema: JsonObject): string | null {
  const parts = [
    Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)).join(", ") : null,
    schema.const === undefined ? null : `always ${JSON.stringify(schema.const)}`,
    range(schema.minimum, schema.maximum, ""),
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minItems, schema.maxItems, "item"),
    textOf(schema.format),
    textOf(schema.pattern) && `matches ${textOf(schema.pattern)}`,
  ].filter((part): part is string => Boolean(part));
  return parts.length > 0 ? parts.join("; ") : null;
}

function range(from: unknown, to: unknown, noun: string): string | null {
  const [low, high] = [from, to].map((value) => (typeof value === "number" ? value : null));
  const unit = noun === "" ? "" : ` ${noun}${(high ?? low) === 1 ? "" : "s"}`;
  if (low != null && high != null) return `${low} to ${high}${unit}`;
  if (low != null) return `at least ${low}${unit}`;
  return high != null ? `at most ${high}${unit}` : null;
}

function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
