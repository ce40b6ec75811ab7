import type { RJSFSchema } from "@rjsf/utils";

/**
 * The schema as rjsf reads it. It knows tuples by the older words (`items` as a list, `additionalItems`), and reads
 * `$schema` as a promise that other parts depend on; what it validates against stays the original.
 */
export function toFormSchema(schema: Record<string, unknown>): RJSFSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  const form = convert(rest) as RJSFSchema;
  return { ...form, type: "object", title: "", description: "" };
}

const literal = new Set(["const", "enum", "default", "examples"]);

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert);
  if (typeof node !== "object" || node === null) return node;
  const converted = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, literal.has(key) ? value : convert(value)]),
  );
  if (!Array.isArray(converted.prefixItems)) return converted;
  const { prefixItems, items, ...others } = converted;
  return { ...others, items: prefixItems, ...(items === undefined ? {} : { additionalItems: items }) };
}
