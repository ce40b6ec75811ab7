import { RE2JS } from "re2js";

export const MARKED = "•••• (marked as secret)";

const MAX_DEPTH = 40;

type Schema = Record<string, unknown>;
type Applicable = Set<Schema>;

/**
 * Removes what a JSON schema marks as secret: `writeOnly`, `format: password` or `x-secret`. A value is removed when
 * any subschema that may apply to it is marked, whether or not it validates: all applicators of draft 2020-12 and local
 * `$ref`s. Pure; returns the same value when nothing is marked.
 */
export function redactMarked(schema: unknown, value: unknown): unknown {
  if (!isObject(schema) || !holdsMark(schema)) return value;
  const document = { root: schema, patterns: new Map<string, RE2JS | null>() };
  return redact(document, applicable(document, [schema], value), value, 0);
}

type Document = { root: Schema; patterns: Map<string, RE2JS | null> };

function redact(document: Document, schemas: Applicable, value: unknown, depth: number): unknown {
  if (value === undefined || schemas.size === 0) return value;
  if (depth > MAX_DEPTH || [...schemas].some((schema) => isMarked(schema) || hidesWhole(document, schema, value))) {
    return MARKED;
  }
  const inner = (found: unknown[], part: unknown) =>
    redact(document, applicable(document, found, part), part, depth + 1);
  if (Array.isArray(value)) {
    const redacted = value.map((item, index) =>
      inner(
        [...schemas].flatMap((schema) => ofItem(schema, index)),
        item,
      ),
    );
    return redacted.every((item, index) => item === value[index]) ? value : redacted;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const redacted = entries.map(([name, part]) =>
    inner(
      [...schemas].flatMap((schema) => ofProperty(document, schema, name)),
      part,
    ),
  );
  if (redacted.every((part, index) => part === entries[index]?.[1])) return value;
  return Object.fromEntries(entries.map(([name], index) => [name, redacted[index]]));
}

const BRANCHES = ["allOf", "anyOf", "oneOf"];
const CONDITIONS = ["not", "if", "then", "else"];

/** Adds the subschemas that apply to the same value. A set, so cyclic references end. */
function applicable(document: Document, found: unknown[], value: unknown): Applicable {
  const all: Applicable = new Set();
  const waiting = [...found];
  while (waiting.length > 0) {
    const schema = waiting.pop();
    if (!isObject(schema) || all.has(schema)) continue;
    all.add(schema);
    for (const key of BRANCHES) waiting.push(...listAt(schema, key));
    for (const key of CONDITIONS) waiting.push(schema[key]);
    for (const key of ["dependentSchemas", "dependencies"]) {
      for (const [name, dependent] of entriesAt(schema, key)) {
        if (isObject(value) && Object.hasOwn(value, name)) waiting.push(dependent);
      }
    }
    waiting.push(follow(document.root, schema.$ref));
  }
  return all;
}

function ofItem(schema: Schema, index: number): unknown[] {
  const places = [listAt(schema, "prefixItems"), listAt(schema, "items")];
  const own = places.flatMap((list) => list.slice(index, index + 1));
  const rest = [schema.items, schema.additionalItems, schema.unevaluatedItems];
  return [...own, ...(own.length === 0 ? rest : []), schema.contains];
}

function ofProperty({ patterns }: Document, schema: Schema, name: string): unknown[] {
  const { properties } = schema;
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  for (const [pattern, inner] of entriesAt(schema, "patternProperties")) {
    if (matches(patterns, pattern, name)) own.push(inner);
  }
  return own.length === 0 ? [schema.additionalProperties, schema.unevaluatedProperties] : own;
}

/** An invalid pattern may match every name. */
function matches(patterns: Document["patterns"], source: string, name: string): boolean {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    pattern = compile(source);
    patterns.set(source, pattern);
  }
  return pattern === null || pattern.matcher(name).find();
}

function compile(source: string): RE2JS | null {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return null;
  }
}

/** Whether a mark applies to a part without its own place: property names, or the content of a text. */
function hidesWhole({ root }: Document, { propertyNames, contentSchema }: Schema, value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length > 0 && holdsMark(propertyNames, root);
  return typeof value === "string" && holdsMark(contentSchema, root);
}

function holdsMark(schema: unknown, root: unknown = schema): boolean {
  const seen = new Set<unknown>();
  const waiting = [schema];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (node === null || typeof node !== "object" || seen.has(node)) continue;
    seen.add(node);
    if (isObject(node) && isMarked(node)) return true;
    waiting.push(...Object.values(node), isObject(node) ? follow(root, node.$ref) : undefined);
  }
  return false;
}

/** Schema at a local JSON Pointer (`#`, `#/…`, RFC 6901). */
function follow(root: unknown, ref: unknown): unknown {
  if (ref !== "#" && !(typeof ref === "string" && ref.startsWith("#/"))) return undefined;
  let node = root;
  for (const part of ref.split("/").slice(1)) {
    const key = decode(part);
    if (node === null || typeof node !== "object" || !Object.hasOwn(node, key)) return undefined;
    node = (node as Schema)[key];
  }
  return node;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

function listAt(schema: Schema, key: string): unknown[] {
  return Array.isArray(schema[key]) ? schema[key] : [];
}

function entriesAt(schema: Schema, key: string): [string, unknown][] {
  const map = schema[key];
  return isObject(map) ? Object.entries(map) : [];
}

function isMarked(schema: Schema): boolean {
  return schema.writeOnly === true || schema.format === "password" || schema["x-secret"] === true;
}

function isObject(value: unknown): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
