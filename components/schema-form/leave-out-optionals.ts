import { asJson, asList, type Json, resolveSchema } from "./resolve-schema";

/**
 * Marks optional objects nobody filled as left out. rjsf would else send them with the defaults and fixed values inside,
 * though the schema does without them; a key with the value `undefined` keeps it from that until somebody adds one.
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

/** An object, or a choice between objects. */
export function isObjectLike(schema: Json, root: Json): boolean {
  if (schema.type !== undefined) return schema.type === "object";
  const forms = asList(schema.oneOf ?? schema.anyOf);
  return forms.length > 0 && forms.every((form) => resolveSchema(asJson(form) ?? {}, root).type === "object");
}
