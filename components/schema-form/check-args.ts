import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { ApiFieldError } from "@/lib/client/api";
import { describeUnit } from "./describe-unit";
import { joinForbidden, pickBranches } from "./pick-branches";
import { withoutRiskyPatterns } from "./risky-patterns";

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
