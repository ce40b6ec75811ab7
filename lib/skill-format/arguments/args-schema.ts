import { Validator } from "@cfworker/json-schema";
import applicator from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json";
import content from "ajv/dist/refs/json-schema-2020-12/meta/content.json";
import core from "ajv/dist/refs/json-schema-2020-12/meta/core.json";
import format from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json";
import metaData from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json";
import unevaluated from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json";
import validation from "ajv/dist/refs/json-schema-2020-12/meta/validation.json";
import { RE2JS } from "re2js";
import type { FieldError } from "@/lib/core/errors";
import {
  MAX_ARGS_DEPTH,
  MAX_PATTERN_CHARS,
  MAX_PATTERN_INSTRUCTIONS,
  MAX_SCHEMA_BYTES,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_NODES,
} from "@/lib/skill-format/archive/limits";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";
import { linkRefs, measureRefs, type SchemaSite, walkSchema } from "./walk-schema";

const VOCABULARIES = [core, applicator, unevaluated, validation, metaData, format, content];

/** Keywords that the metaschema defines outside its vocabularies. */
const LEGACY_VOCABULARY = { definitions: { type: "object", additionalProperties: { $dynamicRef: "#meta" } } };

const TYPES = "one of null, boolean, object, array, number, string, integer";

const RULES = readRules();

const SCHEMA_LIMITS = { maxDepth: MAX_SCHEMA_DEPTH, maxNodes: MAX_SCHEMA_NODES, maxBytes: MAX_SCHEMA_BYTES };

/**
 * Why a JSON Schema (2020-12) is refused; empty if accepted. Schemas are untrusted code: at most 64 KiB, 32 levels,
 * 1,000 objects and arrays; valid by the metaschema; a root type that allows objects; `$ref` only within the document
 * and of bounded expansion; patterns that RE2 compiles. Never throws.
 */
export function checkArgsSchema(schema: JsonObject): FieldError[] {
  return analyzeArgsSchema(schema).errors;
}

/** The errors with paths that begin with `at`; empty for no schema. */
export function schemaErrorsAt(at: string, schema: JsonObject | null): FieldError[] {
  const errors = schema === null ? [] : checkArgsSchema(schema);
  return errors.map(({ path, message }) => ({ path: path === "" ? at : `${at}.${path}`, message }));
}

/** Like `checkArgsSchema`, and returns the depth of data at which a recursive schema becomes too expensive. */
export function analyzeArgsSchema(schema: JsonObject): { errors: FieldError[]; maxDataDepth: number } {
  try {
    const size = findJsonProblem(schema, SCHEMA_LIMITS, true);
    if (size !== null) return refuse([{ path: "", message: `The schema is not accepted: ${size}.` }]);
    const sites = walkSchema(schema);
    const errors = [...sites.flatMap(checkKeywords), ...checkPatterns(sites), ...linkRefs(schema, sites)];
    if (errors.length > 0) return refuse(errors);
    const { problem, maxDataDepth } = measureRefs(sites);
    return problem === null ? { errors: [], maxDataDepth } : refuse([{ path: "", message: problem }]);
  } catch {
    // Reached only by objects that are not JSON, such as proxies.
    return refuse([{ path: "", message: "The schema is not valid JSON." }]);
  }
}

function refuse(errors: FieldError[]) {
  return { errors: errors.slice(0, 20), maxDataDepth: MAX_ARGS_DEPTH };
}

const FORBIDDEN = ["$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$data", "$async"];

function checkKeywords({ schema, path }: SchemaSite): FieldError[] {
  const errors = FORBIDDEN.filter((key) => Object.hasOwn(schema, key)).map((key) => ({
    path: join(path, key),
    message: `"${key}" is not supported.`,
  }));
  if (path !== "" && Object.hasOwn(schema, "$id")) {
    errors.push({ path: join(path, "$id"), message: 'Only the root may have an "$id".' });
  }
  for (const [key, value] of Object.entries(schema)) {
    if (!KEYWORDS_WITH_NAMES.has(key) && typeof value === "object" && value !== null && Object.hasOwn(value, "$data")) {
      errors.push({ path: join(path, key), message: '"$data" is not supported.' });
    }
  }
  if (Array.isArray(schema.enum) && schema.enum.length === 0) {
    errors.push({ path: join(path, "enum"), message: "The list of values must not be empty." });
  }
  const wrong = checkMetaschema(schema, path);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "object"];
  if (path === "" && wrong.length === 0 && !types.includes("object")) {
    errors.push({ path: "type", message: 'The root type must be "object", because arguments are an object.' });
  }
  return [...errors, ...wrong];
}

/** Keywords whose keys the author chooses. */
const KEYWORDS_WITH_NAMES = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);

function checkPatterns(sites: SchemaSite[]): FieldError[] {
  const patterns = sites.flatMap(patternsOf);
  // The estimate must come first, because compiling is what costs time.
  const estimate = patterns.reduce((sum, { source }) => sum + estimateInstructions(source), 0);
  if (estimate > MAX_PATTERN_INSTRUCTIONS) {
    return [{ path: "", message: "The schema's patterns have too many repetitions." }];
  }
  return patterns.flatMap(({ path, source }) => {
    try {
      compilePattern(source);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "it is invalid";
      return [{ path, message: `The pattern cannot be used: ${reason.slice(0, 200)}.` }];
    }
  });
}

function patternsOf({ schema, path }: SchemaSite): { path: string; source: string }[] {
  const own = typeof schema.pattern === "string" ? [{ path: join(path, "pattern"), source: schema.pattern }] : [];
  const names = Object.keys(schema.patternProperties ?? {});
  return [...own, ...names.map((source) => ({ path: join(path, "patternProperties"), source }))];
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/**
 * Checks one subschema against the metaschema of draft 2020-12; nested subschemas are checked separately. Interprets
 * the published vocabularies, because browsers may forbid `eval`. Allows unknown keywords.
 */
function checkMetaschema(schema: JsonObject, path: string): FieldError[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    const rule = RULES.get(key);
    if (rule === undefined) return [];
    const { valid, errors } = rule.validate(value);
    const last = errors.at(-1);
    if (valid || last === undefined) return [];
    const below = last.instanceLocation.split("/").slice(1).map(decodePointerPart);
    const at = key === "type" ? [] : below;
    const message =
      key === "type"
        ? `${JSON.stringify(value).slice(0, 100)} is not a type. Use ${TYPES}, or a list of different ones.`
        : `JSON Schema 2020-12 ${describeAllowed(last.error)}.`;
    return [{ path: [path, key, ...at].filter((part) => part !== "").join("."), message }];
  });
}

function describeAllowed(error: string): string {
  const types = /Expected (".*")\.$/.exec(error)?.[1]?.replaceAll('"', "");
  return types === undefined ? "does not allow this value" : `expects the type ${types.replaceAll(", ", " or ")} here`;
}

function readRules(): Map<string, Validator> {
  const documents = VOCABULARIES.map(
    (vocabulary) => flatten(vocabulary) as { properties: JsonObject; $defs?: JsonObject },
  );
  const $defs = Object.assign({}, ...documents.map((document) => document.$defs));
  const properties: JsonObject = Object.assign(
    flatten(LEGACY_VOCABULARY) as JsonObject,
    ...documents.map((one) => one.properties),
  );
  return new Map(
    Object.entries(properties).map(([key, rule]) => [
      key,
      new Validator({ allOf: [rule], $defs } as JsonObject, "2020-12"),
    ]),
  );
}

/** Drops formats, which only annotate, and replaces subschemas by their type. */
function flatten(document: object): unknown {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === "format" && typeof value === "string") return undefined;
    const isSubschema = isMapping(value) && typeof value.$dynamicRef === "string";
    return isSubschema ? { type: ["object", "boolean"] } : value;
  });
}

function decodePointerPart(part: string): string {
  return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
}

export type JsonLimits = { maxDepth: number; maxNodes: number; maxBytes: number };

/**
 * Why a value is not JSON within the limits, or null. Depth counts nested objects and arrays; nodes are all values in
 * them (only containers with `containersOnly`); bytes are those of its JSON. Visits at most `maxNodes` nodes, so cycles
 * and huge values are cheap. Refuses `__proto__` keys and values that JSON cannot represent.
 */
export function findJsonProblem(value: unknown, limits: JsonLimits, containersOnly = false): string | null {
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let nodes = 0;
  let scalars = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const children = childrenOf(next.value);
    if (typeof children === "string") return children;
    if (children === null && containersOnly) scalars += 1;
    else nodes += 1;
    const waiting = nodes + stack.length + (children?.length ?? 0);
    if (nodes > limits.maxNodes || scalars > limits.maxBytes || (!containersOnly && waiting > limits.maxNodes)) {
      return `it has more than ${limits.maxNodes} values`;
    }
    if (children === null) continue;
    if (next.depth >= limits.maxDepth) return `it is nested deeper than ${limits.maxDepth} levels`;
    if (children.length > limits.maxBytes) return `it is larger than ${limits.maxBytes} bytes`;
    for (const child of children) stack.push({ value: child, depth: next.depth + 1 });
  }
  // Safe because the walk has bounded the tree.
  return new TextEncoder().encode(JSON.stringify(value)).length > limits.maxBytes
    ? `it is larger than ${limits.maxBytes} bytes`
    : null;
}

function childrenOf(value: unknown): unknown[] | null | string {
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : "it has a number that JSON cannot represent";
  if (typeof value !== "object") return `it has a value that JSON cannot represent (${typeof value})`;
  if (Array.isArray(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return "it has an object that is not plain JSON";
  if (Object.hasOwn(value, "__proto__")) return 'it has a "__proto__" key';
  return Object.values(value);
}

export type CompiledPattern = { test(text: string): boolean; instructions: number };

/**
 * Compiles a JavaScript pattern with RE2, which matches in linear time. Throws an Error for syntax errors, for features
 * that RE2 lacks (lookaround, back references), and for more than 1,000 characters.
 */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > MAX_PATTERN_CHARS) throw new Error(`it is longer than ${MAX_PATTERN_CHARS} characters`);
  const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
  return { test: (text) => pattern.matcher(text).find(), instructions: pattern.programSize() };
}

/** Estimates the compiled size: counted repeats (`{n,m}`) make short patterns huge. */
export function estimateInstructions(source: string): number {
  const groups: number[] = [];
  let size = 0;
  let atom = 0;
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const [, low = "0", high] = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/.exec(rest) ?? [];
    const token = TOKEN.exec(rest)?.[0] ?? rest.slice(0, 1);
    if (token === "(") {
      groups.push(size);
      size = 0;
      atom = 0;
    } else if (token === ")") {
      atom = size + 2;
      size = (groups.pop() ?? 0) + atom;
    } else if (token.startsWith("{") && token.length > 1) {
      const added = atom * (Math.max(Number(low), Number(high ?? 0)) - 1);
      size += Math.max(0, added);
      atom += Math.max(0, added);
    } else {
      atom = 1;
      size += 1;
    }
    at += token.length;
  }
  return groups.reduce((sum, before) => sum + before, size);
}

const TOKEN = /^(?:\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d{1,6}(?:,\d{0,6})?\}|.)/s;
