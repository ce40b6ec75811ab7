import type { FieldError } from "@/lib/core/errors";
import { MAX_ARGS_DEPTH, MAX_SCHEMA_EXPANSION, MAX_SCHEMA_PATHS } from "@/lib/skill-format/archive/limits";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";

/** A schema within a JSON Schema document. Edges lead to its subschemas and to the target of its `$ref`. */
export type SchemaSite = {
  schema: JsonObject;
  path: string;
  children: SchemaEdge[];
  definitions: SchemaSite[];
  ref: SchemaSite | null;
};
/** `descends` when the subschema applies to a part of the data. */
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

/** All subschemas, the root first. Other keywords hold data and are not searched. */
export function walkSchema(root: JsonObject): SchemaSite[] {
  const sites: SchemaSite[] = [];
  visit(root, "", sites);
  return sites;
}

/** Model providers' strict modes require `additionalProperties: false`, so clients accept booleans here. */
const KEPT_BOOLEAN = new Set(["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"]);

/**
 * An equivalent copy with boolean subschemas as objects: `true` is `{}`, `false` is `{"not": {}}`. The MCP SDK's
 * clients refuse a whole `tools/list` for one boolean in `properties`. Keeps booleans in `additionalProperties` and its
 * like.
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

/**
 * Sets `ref` on each site with a `$ref`. Follows only JSON Pointers within the document (`#` and `#/…`, RFC 6901) to a
 * subschema; data such as `default` is never used as a schema.
 */
export function linkRefs(root: JsonObject, sites: SchemaSite[]): FieldError[] {
  const bySchema = new Map(sites.map((site) => [site.schema, site]));
  return sites.flatMap((site) => {
    if (!Object.hasOwn(site.schema, "$ref")) return [];
    const ref = site.schema.$ref;
    const path = site.path === "" ? "$ref" : `${site.path}.$ref`;
    if (typeof ref !== "string" || !(ref === "#" || ref.startsWith("#/"))) {
      return [{ path, message: 'A "$ref" must point into the same document (#/…).' }];
    }
    const target = followPointer(root, ref);
    site.ref = target === null ? null : (bySchema.get(target) ?? null);
    return site.ref === null ? [{ path, message: `There is no schema at ${ref.slice(0, 200)}.` }] : [];
  });
}

function followPointer(root: JsonObject, ref: string): JsonObject | null {
  let current: unknown = root;
  for (const part of ref.split("/").slice(1)) {
    const key = decodePart(part);
    if (key === null || typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return null;
    current = (current as JsonObject)[key];
  }
  return typeof current === "object" && current !== null ? (current as JsonObject) : null;
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}

/**
 * Bounds the expansion of `$ref`: at most 10,000 subschemas without recursion; a recursive schema must descend into the
 * data, and its recursive places to the power of the data's depth stay within 100,000.
 */
export function measureRefs(sites: SchemaSite[]): { problem: string | null; maxDataDepth: number } {
  if (hasUnboundedCycle(sites)) {
    return { problem: 'A "$ref" refers back to itself without descending into the data.', maxDataDepth: 0 };
  }
  const reach = reachFromRefs(sites);
  const size = memoize((site: SchemaSite, again): number => {
    const inner = site.children.reduce((sum, edge) => sum + again(edge.site), 1);
    return inner + (site.ref === null ? 0 : recurses(site, reach) ? 1 : again(site.ref));
  });
  const [root] = sites;
  const definitions = sites.flatMap((site) => site.definitions);
  const largest = Math.max(...[...(root === undefined ? [] : [root]), ...definitions].map(size));
  if (largest > MAX_SCHEMA_EXPANSION) {
    return {
      problem: `The schema has more than ${MAX_SCHEMA_EXPANSION} parts when its "$ref"s are resolved.`,
      maxDataDepth: 0,
    };
  }
  const places = memoize((site: SchemaSite, again): number => {
    const inner = site.children.reduce((sum, edge) => sum + again(edge.site), 0);
    return inner + (site.ref === null ? 0 : recurses(site, reach) ? 1 : again(site.ref));
  });
  const widest = Math.max(0, ...sites.map(places));
  const maxDataDepth = deepestWithin(widest);
  return maxDataDepth < 2
    ? { problem: `The schema refers to itself in too many places (${widest}).`, maxDataDepth }
    : { problem: null, maxDataDepth };
}

function deepestWithin(places: number): number {
  let depth = 0;
  for (let paths = places; paths <= MAX_SCHEMA_PATHS && depth < MAX_ARGS_DEPTH; paths *= Math.max(1, places))
    depth += 1;
  return depth;
}

function recurses(site: SchemaSite, reach: Map<SchemaSite, Set<SchemaSite>>): boolean {
  return site.ref !== null && (reach.get(site.ref)?.has(site) ?? false);
}

function reachFromRefs(sites: SchemaSite[]): Map<SchemaSite, Set<SchemaSite>> {
  const targets = new Set(sites.flatMap((site) => (site.ref === null ? [] : [site.ref])));
  return new Map([...targets].map((target) => [target, reachable(target)]));
}

function reachable(start: SchemaSite): Set<SchemaSite> {
  const seen = new Set([start]);
  for (const site of seen) {
    for (const { site: child } of site.children) seen.add(child);
    if (site.ref !== null) seen.add(site.ref);
  }
  return seen;
}

/** A cycle that never descends into the data would not terminate. */
function hasUnboundedCycle(sites: SchemaSite[]): boolean {
  const state = new Map<SchemaSite, "open" | "done">();
  const visit = (site: SchemaSite): boolean => {
    const known = state.get(site);
    if (known !== undefined) return known === "open";
    state.set(site, "open");
    const next = site.children.filter((edge) => !edge.descends).map((edge) => edge.site);
    const looped = [...next, ...(site.ref === null ? [] : [site.ref])].some(visit);
    state.set(site, "done");
    return looped;
  };
  return sites.some(visit);
}

function memoize(
  compute: (site: SchemaSite, again: (site: SchemaSite) => number) => number,
): (site: SchemaSite) => number {
  const known = new Map<SchemaSite, number>();
  const again = (site: SchemaSite): number => {
    const value = known.get(site) ?? compute(site, again);
    known.set(site, value);
    return value;
  };
  return again;
}
