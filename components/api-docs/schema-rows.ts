import type { JsonSchema } from "./openapi";

export type SchemaRow = { name: string; depth: number; type: string; required: boolean; notes: string[] };

const maxDepth = 4;

/** One row for each property; nested properties are indented. */
export function schemaRows(schema: JsonSchema, depth = 0): SchemaRow[] {
  const properties = asSchema(schema.properties);
  if (!properties || depth > maxDepth) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const property = asSchema(value) ?? {};
    const row = { name, depth, type: typeOf(property), required: required.includes(name), notes: notesOf(property) };
    return [row, ...schemaRows(nestedSchemaOf(property), depth + 1)];
  });
}

/** The alternatives of a schema, or the schema itself. */
export function variantsOf(schema: JsonSchema): JsonSchema[] {
  const choices = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(choices) || asSchema(schema.properties)) return [schema];
  return choices.map(asSchema).filter((choice) => choice !== null);
}

/** The schema with the nested properties: of the items, of the only non-null alternative, or itself. */
function nestedSchemaOf(schema: JsonSchema): JsonSchema {
  if (schema.type === "array") return nestedSchemaOf(asSchema(schema.items) ?? {});
  const forms = variantsOf(schema).filter((form) => form.type !== "null");
  return forms.length === 1 && forms[0] ? forms[0] : schema;
}

export function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) ?? "object";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map((choice) => typeOf(asSchema(choice) ?? {})))].join(" | ");
  if (schema.type === "array") {
    const item = typeOf(asSchema(schema.items) ?? {});
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  if (schema.format === "date-time") return "time";
  if (schema.format === "binary") return "file";
  return typeof schema.type === "string" ? schema.type : "any";
}

function notesOf(schema: JsonSchema): string[] {
  const notes: string[] = [];
  if (typeof schema.description === "string") notes.push(schema.description);
  if (schema.default !== undefined) notes.push(`Default ${JSON.stringify(schema.default)}.`);
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  if (isBound(minimum) && isBound(maximum)) notes.push(`${minimum} to ${maximum}.`);
  if (isBound(minLength) && minLength > 1) notes.push(`At least ${minLength} characters.`);
  if (isBound(maxLength)) notes.push(`At most ${maxLength} characters.`);
  if (isBound(maxItems)) notes.push(`At most ${maxItems} items.`);
  return notes;
}

/** False for the bounds of safe integers, which zod adds. */
function isBound(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

export function asSchema(value: unknown): JsonSchema | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchema) : null;
}
