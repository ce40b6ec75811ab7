import type { ErrorObject, Format } from "ajv";
import { Ajv2020 } from "ajv/dist/2020";
import { fullFormats } from "ajv-formats/dist/formats";
import { LRUCache } from "lru-cache";
import type { FieldError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import { MAX_UNIQUE_ITEMS, MAX_VALIDATION_WORK } from "@/lib/skill-format/archive/limits";
import type { JsonObject } from "@/lib/skill-format/schema";
import { analyzeArgsSchema, compilePattern } from "./args-schema";
import { walkSchema } from "./walk-schema";

const MAX_FORMAT_CHARS = 2_048;

// Formats whose values may be long, and whose check takes one pass.
const UNLIMITED_FORMATS = new Set(["byte", "password", "binary"]);

/** Keyword that counts the work of its subschema; the value is the weight. */
const WORK = "skillgate:work";

/** Replaces `uniqueItems`, whose comparison in Ajv is quadratic. */
const UNIQUE = "skillgate:unique";

const CHARS_PER_UNIT = 32;

export type CompiledSchema =
  | { ok: true; maxDataDepth: number; validate(args: unknown): ErrorObject[] }
  | { ok: false; errors: FieldError[] };

const CACHE_SIZE = 200;
const cache = new LRUCache<string, CompiledSchema>({ max: CACHE_SIZE });

/**
 * Compiles a schema that `checkArgsSchema` accepts, or returns its errors. Caches 200 results by the SHA-256 of their
 * JSON. `validate` throws when the arguments exceed the work limit (see `withWorkLimit`).
 */
export function compileArgsSchema(schema: JsonObject): CompiledSchema {
  const key = sha256Hex(JSON.stringify(schema));
  const found = cache.get(key) ?? compile(schema);
  cache.set(key, found);
  return found;
}

function compile(schema: JsonObject): CompiledSchema {
  const { errors, maxDataDepth } = analyzeArgsSchema(schema);
  if (errors.length > 0) return { ok: false, errors };
  const copy = instrumentSchema(schema);
  try {
    const validate = ajv.compile(copy);
    return { ok: true, maxDataDepth, validate: (args) => (validate(args) === true ? [] : (validate.errors ?? [])) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : "it cannot be compiled";
    return { ok: false, errors: [{ path: "", message: `The schema is invalid: ${reason}.` }] };
  } finally {
    // Ajv would keep every schema.
    ajv.removeSchema(copy);
  }
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  // Inherited names such as `constructor` are not arguments.
  ownProperties: true,
  // Inlining would copy a definition to every reference.
  inlineRefs: false,
  logger: false,
  // Ajv's optimizer takes longer than it saves.
  code: { regExp: Object.assign(createRegExp, { code: "re2" }), optimize: false },
  formats: guardedFormats(),
});

ajv.addKeyword({
  keyword: WORK,
  schemaType: "number",
  validate: (weight: number, data: unknown) => {
    chargeWork(weight, data);
    return true;
  },
});
ajv.addKeyword({
  keyword: UNIQUE,
  type: "array",
  schemaType: "boolean",
  error: { message: "must not have repeated items" },
  validate: (_on: boolean, items: unknown[]) => findRepeatedItem(items) === null,
});

function createRegExp(source: string) {
  const pattern = compilePattern(source);
  return {
    test(text: string) {
      chargePatternWork(text.length, pattern.instructions);
      return pattern.test(text);
    },
    // Ajv identifies patterns by their text.
    toString: () => `re2:${source}`,
  };
}

/** The index of the first repeated item (JSON Schema validation 2020-12, section 6.4.3), or null. */
function findRepeatedItem(items: unknown[]): number | null {
  if (items.length > MAX_UNIQUE_ITEMS) {
    throw new WorkLimitError(`A list of distinct items has more than ${MAX_UNIQUE_ITEMS} items.`);
  }
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = canonicalJson(item);
    if (seen.has(key)) return index;
    seen.add(key);
  }
  return null;
}

/**
 * A copy of a checked schema for Ajv: counts the work of each subschema, replaces `uniqueItems`, assumes `type: object`
 * at the root, and removes identifiers, which Ajv would register.
 */
function instrumentSchema(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  for (const site of walkSchema(copy)) {
    const subschemas = new Set(
      [...site.children.map((edge) => edge.site), ...site.definitions].map((sub) => sub.schema),
    );
    const weight = 1 + Math.floor(ownLength(site.schema, subschemas) / CHARS_PER_UNIT);
    for (const key of ["$id", "$schema", "$anchor", "$vocabulary", "$comment"]) delete site.schema[key];
    // Ajv refuses draft 4's `id`.
    delete site.schema.id;
    // Ajv implements OpenAPI's `nullable` and fails without a type or when the two disagree.
    if (site.schema.nullable !== true || !Object.hasOwn(site.schema, "type")) delete site.schema.nullable;
    if (site.schema.uniqueItems === true) {
      site.schema[UNIQUE] = true;
      delete site.schema.uniqueItems;
    } else {
      delete site.schema[UNIQUE];
    }
    site.schema[WORK] = weight;
  }
  if (!Object.hasOwn(copy, "type")) copy.type = "object";
  return copy;
}

function ownLength(schema: JsonObject, subschemas: Set<unknown>): number {
  return JSON.stringify(schema, (_key, value: unknown) => (subschemas.has(value) ? 0 : value)).length;
}

/** ajv-formats for at most 2,048 characters (some patterns backtrack), with own checks of `url` and `regex`. */
function guardedFormats(): Record<string, Format> {
  const guarded = Object.entries(fullFormats).map(([name, format]) => [
    name,
    UNLIMITED_FORMATS.has(name) ? format : guard(format),
  ]);
  return { ...Object.fromEntries(guarded), url: limited((text) => URL.canParse(text)), regex: limited(isPattern) };
}

function guard(format: Format): Format {
  if (format instanceof RegExp) return limited((text) => format.test(text));
  if (typeof format === "function") return limited(format);
  if (typeof format !== "object" || format.type === "number" || format.async === true) return format;
  const { validate } = format;
  if (validate instanceof RegExp) return limited((text) => validate.test(text));
  return typeof validate === "function" ? limited(validate as (text: string) => boolean) : format;
}

function limited(isValid: (text: string) => boolean): (text: string) => boolean {
  return (text) => {
    chargePatternWork(Math.min(text.length, MAX_FORMAT_CHARS), 64);
    return text.length <= MAX_FORMAT_CHARS && isValid(text);
  };
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}

export class WorkLimitError extends Error {}

let workLeft = 0;

/** Runs a synchronous validation with 500,000 units of work; work is the same on every machine, time is not. */
export function withWorkLimit<T>(run: () => T): T {
  workLeft = MAX_VALIDATION_WORK;
  return run();
}

export function chargeWork(weight: number, data: unknown): void {
  charge(weight * (1 + widthOf(data)));
}

export function chargePatternWork(chars: number, instructions: number): void {
  charge(1 + chars * (1 / 4 + instructions / 64));
}

function charge(units: number): void {
  workLeft -= units;
  if (workLeft < 0) throw new WorkLimitError("The arguments are too complex to check.");
}

function widthOf(data: unknown): number {
  if (typeof data === "string") return data.length / 256;
  return typeof data === "object" && data !== null && !Array.isArray(data) ? Object.keys(data).length / 16 : 0;
}
