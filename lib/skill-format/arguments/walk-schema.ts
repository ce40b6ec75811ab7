import { isMapping } from "@/lib/skill-format/dialects/take-fields";
import type { JsonObject } from "@/lib/skill-format/schema";

/** A place in a JSON Schema where a schema stands. Edges go to its subschemas and, for `$ref`, to the place it names. */
export type SchemaSite = {
  schema: JsonObject;
  /** Dotted, from the root. */
  path: string;
  children: SchemaEdge[];
  /** Subschemas that only a `$ref` can reach (`$defs`). */
  definitions: SchemaSite[];
  ref: SchemaSite | null;
};
/** `descends` when the subschema applies to a part of the data, not to the same value. */
export type SchemaEdge = { site: SchemaSite; descends: boolean };

// Draft 2020-12: core (section 8.2.4), applicators (10), unevaluated (11), content (validation, section 8.5).
const DEFINITIONS = ["$defs", "definitions"];
const MAPS = ["properties", "patternProperties", "dependentSchemas", "dependencies"];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const SINGLES = [
  ...["not", "if", "then", "else", "items", "additionalItems", "contains", "unevaluatedItems"],
  ...["additionalProperties", "propertyNames", "unevaluatedProperties", "contentSchema"],
];
const SAME_VALUE = new Set("allOf anyOf oneOf not if then else dependentSchemas dependencies".split(" "));

/** Every place of a schema, the root first. Keywords that are not applicators hold data, which is not looked into. */
export function walkSchema(root: JsonObject): SchemaSite[] {
  const sites: SchemaSite[] = [];
  visit(root, "", sites);
  return sites;
}

/** Where clients know a boolean: `additionalProperties: false` is what strict modes of model providers ask for. */
const KEPT_BOOLEAN = new Set(["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"]);

/**
 * A copy that means the same, with boolean subschemas as objects: `true` is `{}`, `false` is `{"not": {}}`. The MCP SDK's clients
 * refuse a whole `tools/list` for one boolean in `properties`. `additionalProperties` and its like keep theirs.
 */
export function withoutBooleanSchemas(root: JsonObject): JsonObject {
  const copy = structuredClone(root);
  const write = (holder: object, keys: readonly string[]) => {
    for (const key of keys) {
      const value = Object.getOwnPropertyDescriptor(holder, key)?.value;
      if (typeof value === "boolean") Object.assign(holder, { [key]: value ? {} : { not: {} } });
    }
  };
  const singles = SINGLES.filter((key) => !KEPT_BOOLEAN.has(key));
  for (const { schema } of walkSchema(copy)) {
    for (const key of [...DEFINITIONS, ...MAPS]) {
      const held = ownValue(schema, key);
      if (isMapping(held)) write(held, Object.keys(held));
    }
    for (const key of LISTS) {
      const held = ownValue(schema, key);
      if (Array.isArray(held)) write(held, Object.keys(held));
    }
    write(schema, singles);
  }
  return copy;
}

function visit(schema: JsonObject, path: string, sites: SchemaSite[]): SchemaSite {
  const site: SchemaSite = { schema, path, children: [], definitions: [], ref: null };
  sites.push(site);
  const enter = (value: unknown, ...keys: (string | number)[]) =>
    isMapping(value) ? [visit(value, [path, ...keys].filter((key) => key !== "").join("."), sites)] : [];
  for (const key of DEFINITIONS) {
    for (const [name, value] of entriesOf(schema, key)) site.definitions.push(...enter(value, key, name));
  }
  const addChildren = (key: string, found: SchemaSite[]) => {
    site.children.push(...found.map((child) => ({ site: child, descends: !SAME_VALUE.has(key) })));
  };
  for (const key of MAPS) {
    for (const [name, value] of entriesOf(schema, key)) addChildren(key, enter(value, key, name));
  }
  for (const key of LISTS) {
    const list = ownValue(schema, key);
    for (const [index, value] of (Array.isArray(list) ? list : []).entries()) {
      addChildren(key, enter(value, key, index));
    }
  }
  for (const key of SINGLES) addChildren(key, enter(ownValue(schema, key), key));
  return site;
}

function entriesOf(schema: JsonObject, key: string): [string, unknown][] {
  const value = ownValue(schema, key);
  return isMapping(value) ? Object.entries(value) : [];
}

function ownValue(schema: JsonObject, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}
