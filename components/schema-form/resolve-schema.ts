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

/** The titles along a dotted path, for messages: "Expected columns, item 1, Name". Keys stand in for missing titles. */
export function labelOfPath(schema: Json, path: string): string {
  let node: Json = schema;
  const labels = path.split(".").map((segment) => {
    const parent = resolveSchema(node, schema);
    const branches = [
      parent,
      ...[...asList(parent.oneOf), ...asList(parent.anyOf)].map((branch) => asJson(branch) ?? {}),
    ];
    const found = branches
      .map((branch) => asJson(asJson(resolveSchema(branch, schema).properties)?.[segment]))
      .find((property) => property !== null);
    const isItem = !found && /^\d+$/.test(segment);
    node = resolveSchema(found ?? (isItem ? asJson(parent.items) : null) ?? {}, schema);
    if (isItem) return `item ${Number(segment) + 1}`;
    return typeof node.title === "string" && node.title !== "" ? node.title : segment;
  });
  return labels.join(", ");
}

export function asJson(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
