import type { ErrorObject } from "ajv";
import type { FieldError } from "@/lib/core/errors";
import {
  MAX_ARGS_BYTES,
  MAX_ARGS_DEPTH,
  MAX_ARGS_NODES,
  MAX_SCHEMA_BYTES,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_NODES,
} from "@/lib/skill-format/archive/limits";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";
import { findJsonProblem } from "./args-schema";
import { compileArgsSchema, WorkLimitError, withWorkLimit } from "./compile-args-schema";

const SCHEMA_LIMITS = { maxDepth: MAX_SCHEMA_DEPTH, maxNodes: MAX_SCHEMA_NODES, maxBytes: MAX_SCHEMA_BYTES };

/**
 * Why arguments do not match a schema (null accepts any object); empty if they do. Paths are dotted (`filter.path`,
 * `items.0`) and include the missing or unknown property. Accepts plain JSON objects of at most 256 KiB, 32 levels and
 * 20,000 values. Never throws.
 */
export function validateArgs(schema: JsonObject | null, args: unknown): FieldError[] {
  try {
    return findErrors(schema, args);
  } catch (error) {
    const message = error instanceof WorkLimitError ? error.message : "The arguments cannot be checked.";
    return [{ path: "", message }];
  }
}

function findErrors(schema: JsonObject | null, args: unknown): FieldError[] {
  if (!isMapping(args)) return [{ path: "", message: "The arguments must be an object." }];
  const problem = findJsonProblem(args, limitsOf(MAX_ARGS_DEPTH));
  if (problem !== null) return [{ path: "", message: `The arguments are not accepted: ${problem}.` }];
  if (schema === null) return [];
  // Must precede hashing, which is expensive for huge schemas.
  const schemaProblem = findJsonProblem(schema, SCHEMA_LIMITS, true);
  if (schemaProblem !== null) return [{ path: "", message: `The schema is not accepted: ${schemaProblem}.` }];
  const compiled = compileArgsSchema(schema);
  if (!compiled.ok) return compiled.errors.map(describeSchemaErrors);
  if (compiled.maxDataDepth < MAX_ARGS_DEPTH) {
    const depth = findJsonProblem(args, limitsOf(compiled.maxDataDepth));
    if (depth !== null)
      return [{ path: "", message: `The arguments are not accepted by this recursive schema: ${depth}.` }];
  }
  return describeErrors(withWorkLimit(() => compiled.validate(args)));
}

function describeSchemaErrors({ path, message }: FieldError): FieldError {
  return { path: "", message: path === "" ? message : `The schema is invalid at ${path}: ${message}` };
}

function limitsOf(maxDepth: number) {
  return { maxDepth, maxNodes: MAX_ARGS_NODES, maxBytes: MAX_ARGS_BYTES };
}

/** Keywords that only summarize the errors of their branches. */
const COMBINATORS = new Set(["anyOf", "oneOf", "if", "not", "$ref"]);

/** Describes one error at the deepest wrong place: in a union, that is most likely the intended branch. */
function describeErrors(errors: ErrorObject[]): FieldError[] {
  const details = errors.filter((error) => !COMBINATORS.has(error.keyword));
  const placed = (details.length > 0 ? details : errors).map((error) => ({ segments: segmentsOf(error), error }));
  const depth = Math.max(0, ...placed.map(({ segments }) => segments.length));
  const [first, ...others] = placed.filter(({ segments }) => segments.length === depth);
  if (first === undefined) return [];
  const path = first.segments.join(".");
  const same = [first, ...others].filter(({ segments }) => segments.join(".") === path);
  const messages = [...new Set(same.map(({ error }) => messageOf(error)))];
  return [{ path, message: messages.join(", or ") }];
}

function segmentsOf({ instancePath, params }: ErrorObject): string[] {
  const base = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const named: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  return typeof named === "string" ? [...base, named] : base;
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return "is required";
    case "additionalProperties":
    case "unevaluatedProperties":
      return "is not a known argument";
    case "enum":
      return `must be one of ${listValues(params.allowedValues)}`;
    case "minLength":
    case "minItems":
    case "minProperties":
      return `must have at least ${countOf(keyword, params.limit)}`;
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return `must have at most ${countOf(keyword, params.limit)}`;
    case "minimum":
      return `must be at least ${params.limit}`;
    case "maximum":
      return `must be at most ${params.limit}`;
    case "pattern":
      return `must match the pattern ${params.pattern}`;
    default:
      return message ?? "is not valid";
  }
}

const UNITS: Record<string, string> = { Length: "character", Items: "item", Properties: "property" };

function countOf(keyword: string, limit: number): string {
  const unit = UNITS[keyword.slice(3)] ?? "value";
  return `${limit} ${limit === 1 ? unit : unit === "property" ? "properties" : `${unit}s`}`;
}

function listValues(values: unknown): string {
  const text = JSON.stringify(values);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
