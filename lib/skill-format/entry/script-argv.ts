import type { FieldError } from "@/lib/core/errors";
import type { JsonObject } from "@/lib/skill-format/schema";
import type { ScriptCall, ScriptParam } from "./script-entry";

/** Bytes of one argument; Linux takes a little more. */
const MAX_ARGUMENT_BYTES = 100 * 1024;
const MAX_ARGUMENTS = 2_000;

type ScriptInput = { argv: string[]; stdin: string };
type Built = { ok: true; input: ScriptInput } | { ok: false; errors: FieldError[] };

/**
 * What a script gets: its arguments, each value whole in one of them whatever characters it has, and its input. Flags and
 * options come first, positional values after them. Refused, with the name of the argument: NUL, values longer than
 * MAX_ARGUMENT_BYTES, a positional that the script could take for an option, and what no parameter passes on.
 */
export function scriptInput(call: ScriptCall, args: JsonObject): Built {
  if (call.style === "stdin-json") return { ok: true, input: { argv: [], stdin: JSON.stringify(args) } };
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string) => void errors.push({ path, message });
  const passed = new Set([...call.params.map(({ name }) => name), ...(call.stdin ? [call.stdin] : [])]);
  for (const name of Object.keys(args)) if (!passed.has(name)) refuse(name, "is not passed on to the script");
  const standard = call.standard === true;
  const named = call.params.filter(({ kind }) => kind !== "positional");
  const options = named.flatMap((param) => optionWords(param, valuesOf(param, args), standard));
  const positionals = positionalWords(call.params, args, standard, refuse);
  // Values behind one flag would go on to the next words.
  const isOpenEnded = named.some(({ together, name }) => together && isGiven(args, name));
  const ends =
    standard &&
    (positionals.some(({ value, mayBeOption }) => !mayBeOption && value.startsWith("-")) ||
      (isOpenEnded && positionals.length > 0));
  const argv = [...options, ...(ends ? ["--"] : []), ...positionals.map(({ value }) => value)];
  const stdin = call.stdin !== undefined && isGiven(args, call.stdin) ? textOf(args[call.stdin]) : "";
  for (const param of call.params) {
    for (const value of valuesOf(param, args)) {
      if (value.includes("\0")) refuse(param.name, "has a NUL character, which no program can be given");
      if (new TextEncoder().encode(value).length > MAX_ARGUMENT_BYTES)
        refuse(param.name, `is longer than ${MAX_ARGUMENT_BYTES} bytes`);
      if (param.together && value.startsWith("-"))
        refuse(param.name, "begins with a dash, which the script would take for another option");
    }
  }
  if (argv.length > MAX_ARGUMENTS) refuse("", `are more than ${MAX_ARGUMENTS} words`);
  return errors.length === 0 ? { ok: true, input: { argv, stdin } } : { ok: false, errors };
}

function isGiven(args: JsonObject, name: string): boolean {
  return Object.hasOwn(args, name) && args[name] !== null && args[name] !== undefined;
}

function valuesOf({ name, repeat }: ScriptParam, args: JsonObject): string[] {
  if (!isGiven(args, name)) return [];
  const value = args[name];
  return repeat && Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function optionWords(
  { kind, flag = "", together, joined }: ScriptParam,
  values: string[],
  standard: boolean,
): string[] {
  if (kind === "flag") return values[0] === "true" ? [flag] : [];
  if (together && values.length > 0) return [flag, ...values];
  return values.flatMap((value) => {
    if (!joined && (!standard || !value.startsWith("-"))) return [flag, value];
    return flag.startsWith("--") ? [`${flag}=${value}`] : [`${flag}${value}`];
  });
}

function positionalWords(
  params: readonly ScriptParam[],
  args: JsonObject,
  standard: boolean,
  refuse: (path: string, message: string) => void,
): { value: string; mayBeOption: boolean }[] {
  let missing: string | null = null;
  return params
    .filter(({ kind }) => kind === "positional")
    .flatMap((param) => {
      const values = valuesOf(param, args);
      if (values.length === 0) missing ??= param.name;
      else if (missing !== null) refuse(missing, `is required when ${param.name} is given, which comes after it`);
      const words = values.map((value) => ({ value, mayBeOption: param.mayBeOption === true }));
      if (param.mayBeOption) return words;
      if (values.includes("--")) refuse(param.name, "cannot be --, which ends the options of a program");
      if (!standard && values.some((value) => value.startsWith("-")))
        refuse(param.name, "begins with a dash, which the script could take for an option");
      return words;
    });
}
