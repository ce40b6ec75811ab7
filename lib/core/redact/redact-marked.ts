export const MARKED = "•••• (marked as secret)";

const MAX_DEPTH = 40;

type Schema = Record<string, unknown>;

/**
 * A value without what its JSON schema marks as secret: `writeOnly`, `format: password` or `x-secret`, at any depth, below
 * every branch of a schema that may apply. Pure; answers the same value when nothing is marked.
 */
export function redactMarked(schema: unknown, value: unknown): unknown {
  return redact(schema, value, 0);
}

function redact(schema: unknown, value: unknown, depth: number): unknown {
  if (!isObject(schema) || value === undefined) return value;
  if (isMarked(schema)) return MARKED;
  if (depth > MAX_DEPTH || value === null || typeof value !== "object") return value;
  const branches = ["allOf", "anyOf", "oneOf"].flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : []));
  const within = branches.reduce<unknown>((inner, branch) => redact(branch, inner, depth + 1), value);
  if (Array.isArray(within)) return redactItems(schema, within, depth);
  return isObject(within) ? redactProperties(schema, within, depth) : within;
}

function redactItems(schema: Schema, items: unknown[], depth: number): unknown[] {
  const places = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const redacted = items.map((item, index) => redact(places[index] ?? schema.items, item, depth + 1));
  return redacted.every((item, index) => item === items[index]) ? items : redacted;
}

function redactProperties(schema: Schema, value: Schema, depth: number): Schema {
  const { properties, additionalProperties } = schema;
  let redacted: [string, unknown][] | null = null;
  const entries = Object.entries(value);
  for (const [index, [name, inner]] of entries.entries()) {
    const known = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    const after = redact(known, inner, depth + 1);
    if (after === inner) continue;
    redacted ??= [...entries];
    redacted[index] = [name, after];
  }
  return redacted === null ? value : Object.fromEntries(redacted);
}

function isMarked(schema: Schema): boolean {
  return schema.writeOnly === true || schema.format === "password" || schema["x-secret"] === true;
}

function isObject(value: unknown): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
