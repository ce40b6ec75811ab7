import type { JsonObject } from "./schema";
import { walkSchema } from "./walk-schema";

/** Counts the work of its subschema; the value is the weight. */
export const WORK = "skillgate:work";
/** Stands for `uniqueItems`, whose comparison in Ajv is quadratic. */
export const UNIQUE = "skillgate:unique";

const CHARS_PER_UNIT = 32;

/**
 * A copy of a checked schema for Ajv: each subschema also counts its work, `uniqueItems` is our own, an object is expected
 * unless `type` says otherwise, and identifiers, which Ajv would resolve or register, are gone.
 */
export function instrumentSchema(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  for (const site of walkSchema(copy)) {
    const subschemas = new Set(
      [...site.children.map((edge) => edge.site), ...site.definitions].map((sub) => sub.schema),
    );
    const weight = 1 + Math.floor(ownLength(site.schema, subschemas) / CHARS_PER_UNIT);
    for (const key of ["$id", "$schema", "$anchor", "$vocabulary", "$comment"]) delete site.schema[key];
    // Draft 4's `id` is an error to Ajv.
    delete site.schema.id;
    // Of OpenAPI, which Ajv reads as its own: an error without a type, and when it says the opposite of the type.
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

/** Characters of a schema's own keywords; names, enums and constants are compared with each value. */
function ownLength(schema: JsonObject, subschemas: Set<unknown>): number {
  return JSON.stringify(schema, (_key, value: unknown) => (subschemas.has(value) ? 0 : value)).length;
}
