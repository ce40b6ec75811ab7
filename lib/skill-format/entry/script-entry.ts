import { z } from "zod";
import type { FieldError } from "@/lib/core/errors";
import { JsonObject } from "@/lib/skill-format/schema";

const FLAG = /^--?[A-Za-z0-9?][A-Za-z0-9_.-]{0,98}$/;

/**
 * How one argument reaches the script. `flag`: the flag alone, when the value is true. `option`: the flag and the
 * value. `positional`: the value. `repeat`: the value is a list, and an option repeats its flag, or with `together` has
 * all values after one flag. `joined`: flag and value are one word, `--flag=value`. `mayBeOption`: a positional value
 * may begin with a dash although the script may read it as an option.
 */
export const ScriptParam = z
  .strictObject({
    name: z.string().min(1).max(100),
    kind: z.enum(["flag", "option", "positional"]),
    flag: z.string().regex(FLAG, "must be a flag such as --name or -n").optional(),
    repeat: z.boolean().optional(),
    together: z.boolean().optional(),
    joined: z.boolean().optional(),
    mayBeOption: z.boolean().optional(),
  })
  .superRefine(({ kind, flag }, issues) => {
    if (kind !== "positional" && flag === undefined)
      issues.addIssue({ code: "custom", path: ["flag"], message: "is required for a flag or an option" });
    if (kind === "positional" && flag !== undefined)
      issues.addIssue({ code: "custom", path: ["flag"], message: "must be empty for a positional argument" });
  });
export type ScriptParam = z.infer<typeof ScriptParam>;

/**
 * How to call a script. `stdin-json`: all arguments as one JSON object on standard input. `argv`: each value as an
 * argument, never through a shell; `stdin` names the parameter for standard input. A `standard` parser accepts `--` as
 * the end of options, `--flag=value` and `-fvalue`.
 */
export const ScriptCall = z.discriminatedUnion("style", [
  z.strictObject({ style: z.literal("stdin-json") }),
  z.strictObject({
    style: z.literal("argv"),
    params: z.array(ScriptParam).max(100),
    stdin: z.string().min(1).max(100).optional(),
    standard: z.boolean().optional(),
  }),
]);
export type ScriptCall = z.infer<typeof ScriptCall>;

/** `text`: the output is the result, as a string without its last line break. */
export const ScriptOutput = z.enum(["json", "text"]);
export type ScriptOutput = z.infer<typeof ScriptOutput>;

/** A script that a decision makes runnable. */
export const ScriptEntry = z.strictObject({
  path: z.string().min(1).max(240),
  call: ScriptCall,
  schema: JsonObject,
  output: ScriptOutput.default("text"),
});
export type ScriptEntry = z.infer<typeof ScriptEntry>;

/** The worker's own Node, mounted in every sandbox and so always available. */
export const WORKER_NODE = "/skillgate/node";

const ENV = "/usr/bin/env";
const BY_ENDING: [ending: RegExp, command: string[]][] = [
  [/\.py$/i, [ENV, "python3"]],
  [/\.(js|mjs|cjs)$/i, [WORKER_NODE]],
  [/\.sh$/i, ["/bin/sh"]],
  [/\.bash$/i, [ENV, "bash"]],
];

/** The command that starts a script, from its `#!` line or extension. Empty for binaries; null if unknown. */
export function scriptInterpreter(path: string, firstLine: string): string[] | null {
  if (firstLine.startsWith("\x7fELF")) return [];
  const line = /^(?:\xef\xbb\xbf|\ufeff)?#![ \t]*(\S+)(?:[ \t]+(.*?))?[ \t\r]*$/.exec(
    firstLine.split("\n", 1)[0] ?? "",
  );
  const [, program = "", rest = ""] = line ?? [];
  if (!program.startsWith("/")) return BY_ENDING.find(([ending]) => ending.test(path))?.[1] ?? null;
  const isEnv = /^(\/usr)?\/bin\/env$/.test(program);
  // The host may have no Node.
  if (isEnv && rest === "node") return [WORKER_NODE];
  const words = isEnv && rest.startsWith("-S") ? ["-S", rest.slice(2).trim()] : rest === "" ? [] : [rest];
  return [program, ...words];
}

/** Bytes; Linux allows slightly more. */
const MAX_ARGUMENT_BYTES = 100 * 1024;
const MAX_ARGUMENTS = 2_000;

type ScriptInput = { argv: string[]; stdin: string };
type Built = { ok: true; input: ScriptInput } | { ok: false; errors: FieldError[] };

/**
 * Builds a script's arguments and standard input. Each value is one argument; flags and options precede positional
 * values. Refuses, with the argument's name: NUL, values longer than MAX_ARGUMENT_BYTES, positional values that look
 * like options, and arguments that no parameter passes on.
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
  // An open-ended option would take the positional values too.
  const isOpenEnded = named.some(({ together, name }) => together && isGiven(args, name));
  const ends =
    standard &&
    (positionals.some(({ value, mayBeOption }) => !mayBeOption && value.startsWith("-")) ||
      (isOpenEnded && positionals.length > 0));
  const argv = [...options, ...(ends ? ["--"] : []), ...positionals.map(({ value }) => value)];
  const stdin = call.stdin !== undefined && isGiven(args, call.stdin) ? textOf(args[call.stdin]) : "";
  for (const param of call.params) {
    for (const value of valuesOf(param, args)) {
      if (value.includes("\0")) refuse(param.name, "has a NUL character, which programs cannot receive");
      if (new TextEncoder().encode(value).length > MAX_ARGUMENT_BYTES)
        refuse(param.name, `is longer than ${MAX_ARGUMENT_BYTES} bytes`);
      if (param.together && value.startsWith("-"))
        refuse(param.name, "begins with a dash, so the script would read it as another option");
    }
  }
  if (argv.length > MAX_ARGUMENTS) refuse("", `The arguments have more than ${MAX_ARGUMENTS} words.`);
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
      else if (missing !== null) refuse(missing, `is required because the later argument ${param.name} is set`);
      const words = values.map((value) => ({ value, mayBeOption: param.mayBeOption === true }));
      if (param.mayBeOption) return words;
      if (values.includes("--")) refuse(param.name, "must not be --, which ends the options");
      if (!standard && values.some((value) => value.startsWith("-")))
        refuse(param.name, "begins with a dash, so the script could read it as an option");
      return words;
    });
}

/** `declared`: the parser names each argument. `described`: the usage text does. `guessed`: neither, or in part. */
export const EntryProposal = z.object({
  entry: ScriptEntry,
  readFrom: z.string(),
  line: z.number().int().positive().nullable(),
  confidence: z.enum(["declared", "described", "guessed"]),
  note: z.string(),
});
export type EntryProposal = z.infer<typeof EntryProposal>;

const DENIED_PREFIXES = [
  "SKILLGATE_",
  "NEXTAUTH_",
  "AUTH_",
  "LD_",
  "DYLD_",
  "GIT_",
  "NPM_CONFIG_",
  "BASH_FUNC_",
  "GLIBC_",
];
const DENIED_NAMES = new Set([
  ...["DATABASE_URL", "NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "GCONV_PATH", "JAVA_TOOL_OPTIONS"],
  ...["BASH_ENV", "ENV", "IFS", "PS4", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "CDPATH"],
  ...["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT"],
]);

/**
 * Whether an environment variable is never passed to a skill: server settings and secrets, and names that make a shell,
 * loader or interpreter run other code. Ignores letter case, as Windows does.
 */
export function isDeniedEnv(name: string): boolean {
  const upper = name.toUpperCase();
  return DENIED_NAMES.has(upper) || DENIED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
