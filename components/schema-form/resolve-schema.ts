export type Json = Record<string, unknown>;

/** Resolves a local `$ref`; sibling keywords take precedence. */
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
