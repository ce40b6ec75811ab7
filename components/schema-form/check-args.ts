import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { ApiFieldError } from "@/lib/client/api";
import { describeUnit } from "./describe-unit";

/** Keywords whose errors only summarize nested errors. */
const summaries = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "if",
  "dependentSchemas",
  "dependencies",
]);

const longestPattern = 300;

/** A repeated group with a repeat inside, such as `(a+)+`: backtracking can take exponential time. */
const nestedRepeat = /\((?:[^()\\]|\\.)*(?:[*+]|\{\d*,?\d*\})(?:[^()\\]|\\.)*\)(?:[*+]|\{)/;

/** Repeated alternatives, such as `(a|a)*`, can take exponential time too. */
const repeatedChoice = /\((?:[^()\\]|\\.)*\|(?:[^()\\]|\\.)*\)(?:[*+]|\{)/;

const namedMaps = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

type Schema = Record<string, unknown>;

/** Id of the root schema, so that `#/$defs/…` resolves inside sub-schemas. */
const rootName = "skillgate-root-schema";

/** The errors that say most about a value, first. */
const telling = ["required", "type", "enum", "const", "minLength", "minItems"];

/**
 * Validates arguments against a schema and returns one error for each field, with dotted paths like the server's
 * (`filter.path`). Returns none for schemas that this checker cannot read, since the server checks again. Interprets the
 * schema, so it needs no `eval`.
 */
export function checkArgs(schema: Schema, args: unknown): ApiFieldError[] {
  const units = pickBranches(joinForbidden(findUnits(schema, args, schema)));
  const rank = ({ keyword }: OutputUnit) => (telling.indexOf(keyword) + telling.length + 1) % (telling.length + 1);
  const best = new Map<string, { error: ApiFieldError; rank: number }>();
  for (const unit of units) {
    const described = describeUnit(unit);
    // Fields without a value are "" or, in lists, null.
    const isEmpty = unit.keyword === "type" && [null, ""].includes(valueAt(args, described.path) as null);
    const error = isEmpty ? { ...described, message: "enter a value" } : described;
    const known = best.get(error.path);
    if (!known || rank(unit) < known.rank) best.set(error.path, { error, rank: rank(unit) });
  }
  return [...best.values()].map(({ error }) => error);
}

function valueAt(args: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }, args);
}

export function fits(schema: Schema | boolean, value: unknown, root: Schema): boolean {
  if (typeof schema === "boolean") return schema;
  return findUnits(schema, value, root).length === 0;
}

function findUnits(schema: Schema, value: unknown, root: Schema): OutputUnit[] {
  try {
    // The library modifies its schemas, so it gets copies.
    const own = withoutRiskyPatterns(schema);
    if (schema === root) return new Validator(own, "2020-12", false).validate(plain(value)).errors;
    const validator = new Validator(refsIntoRoot(own) as Schema, "2020-12", false);
    validator.addSchema(withoutRiskyPatterns(root), rootName);
    return validator.validate(plain(value)).errors;
  } catch {
    return []; // Unreadable schema, such as an unresolvable $ref.
  }
}

/** Drops `undefined`, which forms leave for cleared fields. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function refsIntoRoot(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(refsIntoRoot);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const isLocalRef = key === "$ref" && typeof value === "string" && value.startsWith("#");
      return [key, isLocalRef ? `${rootName}${value}` : refsIntoRoot(value)];
    }),
  );
}

function isRisky(pattern: string): boolean {
  return (
    pattern.length > longestPattern ||
    nestedRepeat.test(pattern) ||
    repeatedChoice.test(pattern) ||
    /\\[1-9k]/.test(pattern)
  );
}

/**
 * A copy of a schema without patterns that could hang the page, since schemas are untrusted. The server checks these
 * patterns with a linear-time engine.
 */
function withoutRiskyPatterns<T>(schema: T): T {
  return copy(schema, false) as T;
}

function copy(node: unknown, holdsNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => copy(item, false));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => {
    return holdsNames || key !== "pattern" || typeof value !== "string" || !isRisky(value);
  });
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (!holdsNames && (key === "const" || key === "enum" || key === "default" || key === "examples"))
        return [key, value];
      if (!holdsNames && key === "patternProperties") return [key, copySafePatterns(value)];
      return [key, copy(value, !holdsNames && namedMaps.has(key))];
    }),
  );
}

function copySafePatterns(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  const safe = Object.entries(node).filter(([pattern]) => !isRisky(pattern));
  return Object.fromEntries(safe.map(([pattern, value]) => [pattern, copy(value, false)]));
}

/** Reduces errors to the useful ones: of a choice only those of the best-matching branch, and no summaries. */
function pickBranches(units: readonly OutputUnit[]): OutputUnit[] {
  const choice = outermostChoice(units);
  if (!choice) return units.filter((unit) => !summaries.has(unit.keyword));
  const prefix = `${choice.keywordLocation}/`;
  const inside = units.filter((unit) => unit.keywordLocation.startsWith(prefix) && isAtOrBelow(unit, choice));
  const others = units.filter((unit) => unit !== choice && !inside.includes(unit));
  const branches = [...new Map(inside.map((unit) => [branchOf(unit, prefix), true])).keys()]
    .map((branch) => inside.filter((unit) => branchOf(unit, prefix) === branch))
    .sort((a, b) => misfit(a, choice) - misfit(b, choice));
  const best = branches[0];
  // Several branches match, so the choice itself is the error.
  const picked = best === undefined ? [{ ...choice, keyword: "ambiguous" }] : pickBranches(best);
  return [...pickBranches(others), ...picked];
}

function outermostChoice(units: readonly OutputUnit[]): OutputUnit | undefined {
  return units
    .filter((unit) => unit.keyword === "oneOf" || unit.keyword === "anyOf")
    .sort((a, b) => a.keywordLocation.length - b.keywordLocation.length)[0];
}

function isAtOrBelow(unit: OutputUnit, choice: OutputUnit): boolean {
  const at = choice.instanceLocation;
  return unit.instanceLocation === at || unit.instanceLocation.startsWith(`${at}/`);
}

function branchOf(unit: OutputUnit, prefix: string): string {
  return unit.keywordLocation.slice(prefix.length).split("/")[0] ?? "";
}

/** Scores a branch: wrong constants or types weigh most, then the number of errors. */
function misfit(units: readonly OutputUnit[], choice: OutputUnit): number {
  const depth = choice.instanceLocation.split("/").length;
  const decisive = units.filter((unit) => {
    const isNear = unit.instanceLocation.split("/").length <= depth + 1;
    return isNear && (unit.keyword === "const" || unit.keyword === "enum" || unit.keyword === "type");
  });
  return decisive.length * 100 + units.length;
}

/** Joins the error of a `false` schema with the preceding one, which has its schema location, as keyword `forbidden`. */
function joinForbidden(units: readonly OutputUnit[]): OutputUnit[] {
  return units.flatMap((unit, index) => {
    if (unit.keyword === "false") return [];
    const next = units[index + 1];
    if (next?.keyword !== "false") return [unit];
    return [{ ...unit, keyword: "forbidden", instanceLocation: next.instanceLocation }];
  });
}
