export type Json = Record<string, unknown>;

/** A schema with its local `$ref` followed; what stands beside the reference counts too. */
export function resolveSchema(schema: Json, root: Json, depth = 0): Json {
  const ref = schema.$ref;
  if (typeof ref !== "string" || !ref.startsWith("#/") || depth > 8) return schema;
  const target = ref
    .slice(2)
    .split("/")
    .reduce<unknown>((node, part) => asJson(node)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  const found = asJson(target);
  return found ? { ...resolveSchema(found, root, depth + 1), ...schema } : schema;
}

export function asJson(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
