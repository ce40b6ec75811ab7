import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { ApiFieldError } from "@/lib/client/api";
import { describeUnit } from "./describe-unit";

/** Keywords whose error only says that something inside is wrong. */
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

/** A repeated group that repeats inside: `(a+)+`. The browser's engine may need exponential time for it. */
const nestedRepeat = /\((?:[^()\\]|\\.)*(?:[*+]|\{\d*,?\d*\})(?:[^()\\]|\\.)*\)(?:[*+]|\{)/;

/** Choices under a repeat, `(a|a)*`, and references back can need as long. */
const repeatedChoice = /\((?:[^()\\]|\\.)*\|(?:[^()\\]|\\.)*\)(?:[*+]|\{)/;

const namedMaps = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

type Schema = Record<string, unknown>;

/** Under which the whole schema is known to a part of it, so that `#/$defs/…` still leads somewhere. */
const rootName = "skillgate-root-schema";

/**
 * Why arguments do not fit a schema, with dotted paths as the server writes them (`filter.path`); empty when they do, or
 * when the schema is beyond this checker: the server has the last word. Interprets the schema, so it needs no `eval`.
 */
export function checkArgs(schema: Schema, args: unknown): ApiFieldError[] {
  const units = pickBranches(joinForbidden(findUnits(schema, args, schema)));
  const errors = units.map(describeUnit);
  return errors.filter(({ path, message }, index) => {
    return errors.findIndex((other) => other.path === path && other.message === message) === index;
  });
}

/** Whether a value fits a part of a schema. */
export function fits(schema: Schema | boolean, value: unknown, root: Schema): boolean {
  if (typeof schema === "boolean") return schema;
  return findUnits(schema, value, root).length === 0;
}

function findUnits(schema: Schema, value: unknown, root: Schema): OutputUnit[] {
  try {
    // The library writes into the schemas it is given.
    const own = withoutRiskyPatterns(schema);
    if (schema === root) return new Validator(own, "2020-12", false).validate(plain(value)).errors;
    const validator = new Validator(refsIntoRoot(own) as Schema, "2020-12", false);
    validator.addSchema(withoutRiskyPatterns(root), rootName);
    return validator.validate(plain(value)).errors;
  } catch {
    return []; // An odd $id, a $ref to nowhere: what this checker cannot read it cannot judge.
  }
}

/** What JSON would keep: forms leave `undefined` where a field was emptied. */
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
 * A copy of a schema without the patterns that could hang the page. Schemas come from strangers; the server checks these
 * patterns with an engine of linear time.
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

/**
 * The errors a person needs: of a choice, those of the branch that fits best (the one they most likely meant), and no
 * sentence that only sums up others.
 */
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
  // Several branches fit at once: nothing inside is wrong, so the choice itself is the error.
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

/** A branch whose fixed values or type differ was not meant; after that, fewer errors is closer. */
function misfit(units: readonly OutputUnit[], choice: OutputUnit): number {
  const depth = choice.instanceLocation.split("/").length;
  const decisive = units.filter((unit) => {
    const isNear = unit.instanceLocation.split("/").length <= depth + 1;
    return isNear && (unit.keyword === "const" || unit.keyword === "enum" || unit.keyword === "type");
  });
  return decisive.length * 100 + units.length;
}

/**
 * A schema `false` says that a property may not be there, but its error lacks its place in the schema: the one before it
 * has that. The two become one, with the keyword `forbidden`.
 */
function joinForbidden(units: readonly OutputUnit[]): OutputUnit[] {
  return units.flatMap((unit, index) => {
    if (unit.keyword === "false") return [];
    const next = units[index + 1];
    if (next?.keyword !== "false") return [unit];
    return [{ ...unit, keyword: "forbidden", instanceLocation: next.instanceLocation }];
  });
}
