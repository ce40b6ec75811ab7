import { asJson, asList, type Json, resolveSchema } from "./resolve-schema";

/**
 * Removes what rjsf adds to form data: `undefined` for cleared fields, and `{}` for empty optional objects, which a schema
 * with required properties would refuse.
 */
export function pruneArgs(schema: Json, args: Json): Json {
  return pruneObject(schema, args, schema);
}

function pruneObject(schema: Json, value: Json, root: Json): Json {
  const properties = asJson(resolveSchema(schema, root).properties) ?? {};
  const required = asList(resolveSchema(schema, root).required);
  const kept = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (item === undefined) return [];
    const own = asJson(properties[key]);
    const pruned = prune(own ?? {}, item, root);
    const isEmpty = asJson(pruned) !== null && Object.keys(pruned as Json).length === 0;
    const isOptional = own !== null && !required.includes(key);
    return isEmpty && isOptional ? [] : [[key, pruned]];
  });
  return Object.fromEntries(kept);
}

function prune(schema: Json, value: unknown, root: Json): unknown {
  if (Array.isArray(value)) {
    const items = asJson(resolveSchema(schema, root).items) ?? {};
    // The user added an empty list item deliberately; validation reports it.
    return value.map((item) => (item === undefined ? null : prune(items, item, root)));
  }
  const object = asJson(value);
  return object ? pruneObject(schema, object, root) : value;
}

/**
 * Sets absent optional objects to `undefined`. Otherwise rjsf fills them with the defaults and constants of their schema.
 */
export function leaveOutOptionals(schema: Json, value: Json, root: Json = schema): Json {
  const { properties, required } = resolveSchema(schema, root);
  const result: Json = { ...value };
  for (const [key, property] of Object.entries(asJson(properties) ?? {})) {
    const own = resolveSchema(asJson(property) ?? {}, root);
    const present = asJson(value[key]);
    if (present) result[key] = leaveOutOptionals(own, present, root);
    else if (value[key] !== undefined || own.default !== undefined || !isObjectLike(own, root)) continue;
    else if (!asList(required).includes(key)) result[key] = undefined;
    else if (own.type === "object") result[key] = leaveOutOptionals(own, {}, root);
  }
  return result;
}

/** Whether a schema is an object, or a choice between objects. */
export function isObjectLike(schema: Json, root: Json): boolean {
  if (schema.type !== undefined) return schema.type === "object";
  const forms = asList(schema.oneOf ?? schema.anyOf);
  return forms.length > 0 && forms.every((form) => resolveSchema(asJson(form) ?? {}, root).type === "object");
}
