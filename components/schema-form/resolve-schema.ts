import { isSame } from "@/components/json/diff-json";
import { titleOfKey } from "./titles";

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

/** The titles along a dotted path, as the form shows them: "Expected columns, item 1, Name". */
export function labelOfPath(schema: Json, path: string): string {
  let node: Json = schema;
  const labels = path.split(".").map((segment) => {
    const parent = resolveSchema(node, schema);
    const parts = [parent.oneOf, parent.anyOf, parent.allOf].flatMap(asList);
    const branches = [parent, ...parts.map((part) => resolveSchema(asJson(part) ?? {}, schema))];
    const found = branches
      .map((branch) => asJson(asJson(branch.properties)?.[segment]))
      .find((property) => property !== null);
    const isItem = !found && /^\d+$/.test(segment);
    const items = branches.map((branch) => asJson(branch.items)).find((item) => item !== null);
    node = resolveSchema(found ?? (isItem ? items : null) ?? {}, schema);
    if (isItem) return `item ${Number(segment) + 1}`;
    return typeof found?.title === "string" && found.title !== "" ? found.title : titleOfKey(segment);
  });
  return labels.join(", ");
}

/** Whether the schema marks a value as secret, so that it is not shown as text. */
export function isSecret(schema: Json): boolean {
  return schema.format === "password" || schema.writeOnly === true || schema["x-secret"] === true;
}

/** Arguments for showing: secret ones, at the top level, are replaced. */
export function withoutSecrets(schema: Json, args: Json): Json {
  const properties = asJson(schema.properties) ?? {};
  const shown = Object.entries(args).map(([key, value]): [string, unknown] => {
    return [key, isSecret(resolveSchema(asJson(properties[key]) ?? {}, schema)) ? "(hidden)" : value];
  });
  return Object.fromEntries(shown);
}

/** Arguments without what the form fills in by itself: values equal to the schema's default or constant, and empty objects. */
export function withoutDefaults(schema: Json, args: Json, root: Json = schema): Json {
  const properties = asJson(resolveSchema(schema, root).properties) ?? {};
  const kept = Object.entries(args).flatMap(([key, value]): [string, unknown][] => {
    const own = resolveSchema(asJson(properties[key]) ?? {}, root);
    if ([own.default, own.const].some((filled) => filled !== undefined && isSame(filled, value))) return [];
    const object = asJson(value);
    const pruned = object ? withoutDefaults(own, object, root) : value;
    return object && Object.keys(pruned as Json).length === 0 ? [] : [[key, pruned]];
  });
  return Object.fromEntries(kept);
}

export function asJson(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
