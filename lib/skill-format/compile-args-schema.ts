import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020";
import type { FieldError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { analyzeArgsSchema } from "./args-schema";
import { compilePattern } from "./compile-pattern";
import { guardedFormats } from "./guarded-formats";
import { instrumentSchema, UNIQUE, WORK } from "./instrument-schema";
import type { JsonObject } from "./schema";
import { findRepeatedItem } from "./unique-items";
import { spendPatternWork, spendWork } from "./validation-work";

export type CompiledSchema =
  | { ok: true; maxDataDepth: number; validate(args: unknown): ErrorObject[] }
  | { ok: false; errors: FieldError[] };

const CACHE_SIZE = 200;
const cache = new Map<string, CompiledSchema>();

/**
 * A schema that `checkArgsSchema` accepts, compiled; otherwise its errors. The 200 used last are kept, by the SHA-256 of
 * their JSON, refused ones too. `validate` returns no errors when the arguments fit; it throws when they are too much
 * work (see `withWorkLimit`).
 */
export function compileArgsSchema(schema: JsonObject): CompiledSchema {
  const key = sha256Hex(JSON.stringify(schema));
  const found = cache.get(key) ?? compile(schema);
  cache.delete(key);
  cache.set(key, found);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
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
    // Ajv would keep every schema it has ever seen.
    ajv.removeSchema(copy);
  }
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  // Inherited names such as `constructor` are not arguments.
  ownProperties: true,
  // Inlining copies a definition into every place that refers to it.
  inlineRefs: false,
  logger: false,
  // Its optimizer takes longer than it saves.
  code: { regExp: Object.assign(createRegExp, { code: "re2" }), optimize: false },
  formats: guardedFormats(),
});

ajv.addKeyword({
  keyword: WORK,
  schemaType: "number",
  validate: (weight: number, data: unknown) => {
    spendWork(weight, data);
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
      spendPatternWork(text.length, pattern.instructions);
      return pattern.test(text);
    },
    // Ajv tells patterns apart by their text.
    toString: () => `re2:${source}`,
  };
}
