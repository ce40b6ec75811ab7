import type { FieldError } from "@/lib/core/errors";
import { schemaErrorsAt } from "@/lib/skill-format/arguments/args-schema";
import { isMapping } from "@/lib/skill-format/json-values";
import { type ScriptEntry, scriptInterpreter } from "./script-entry";

/** Why a script cannot be an entry with this call. `firstLine` is the start of the file as latin1. */
export function checkScriptEntry({ path, call, schema }: ScriptEntry, firstLine: string): FieldError[] {
  const errors: FieldError[] = [];
  if (scriptInterpreter(path, firstLine) === null) {
    const message = "Nothing names an interpreter for the script. Add a first line with #!, or a known extension";
    errors.push({ path: "entry.path", message });
  }
  const wrong = schemaErrorsAt("entry.schema", schema);
  errors.push(...wrong);
  const isTypeNamed = wrong.some((error) => error.path === "entry.schema.type");
  if (schema.type !== "object" && !isTypeNamed)
    errors.push({ path: "entry.schema.type", message: "The type of the schema must be object" });
  if (call.style === "stdin-json" || errors.length > 0) return errors;
  const properties = isMapping(schema.properties) ? schema.properties : {};
  const seen = new Set<string>();
  call.params.forEach(({ name }, index) => {
    const at = `entry.call.params.${index}.name`;
    if (seen.has(name)) errors.push({ path: at, message: `The parameter “${name}” is passed twice` });
    seen.add(name);
    if (!Object.hasOwn(properties, name))
      errors.push({ path: at, message: `The parameter “${name}” is not a property of the schema` });
  });
  const { stdin } = call;
  if (stdin !== undefined) {
    if (seen.has(stdin))
      errors.push({ path: "entry.call.stdin", message: `“${stdin}” is already passed as an argument` });
    seen.add(stdin);
    if (!Object.hasOwn(properties, stdin))
      errors.push({ path: "entry.call.stdin", message: `“${stdin}” is not a property of the schema` });
  }
  for (const name of Object.keys(properties)) {
    if (seen.has(name)) continue;
    errors.push({
      path: `entry.schema.properties.${name}`,
      message: `The property “${name}” is not passed to the script`,
    });
  }
  return errors;
}
