import {
  chosenFlag,
  type FoundArguments,
  type FoundParam,
  flagParam,
  isFlag,
  lineAt,
  withCommands,
} from "./build-proposal";
import { type Call, readBrackets, readCalls, readLiteral, readString, splitParts } from "./read-call";

const TYPES: Record<string, FoundParam["type"]> = { int: "integer", float: "number" };

type Value = Pick<FoundParam, "type" | "choices" | "default">;

/** Arguments declared with argparse; only the names of its subcommands. */
export function readArgparse(text: string): FoundArguments | null {
  const calls = readCalls(text, /\.add_argument\(/g);
  const commands = readCalls(text, /\.add_parser\(/g);
  if (!text.includes("argparse") || (calls.length === 0 && commands.length === 0)) return null;
  const nested = new Set([...text.matchAll(/^[ \t]*(\w{1,100})\s*=\s*[\w.]{1,100}\.add_parser\(/gm)].map((m) => m[1]));
  const own = calls.filter(({ index }) => !nested.has(/\w+$/.exec(text.slice(Math.max(0, index - 100), index))?.[0]));
  const names = commands.flatMap(({ args }) => readString(args[0]) ?? []);
  const first = own[0] ?? commands[0] ?? calls[0];
  const found: FoundArguments = {
    params: own.flatMap((call) => readAddArgument(call) ?? []),
    ...{ standard: true, readFrom: "argparse", line: first ? lineAt(text, first.index) : null, confidence: "declared" },
    note: "The parser names each argument. Check the types and which ones are required.",
  };
  return names.length > 0 ? withCommands(found, names, found.params) : found;
}

function readAddArgument({ args, named }: Call): FoundParam | null {
  const names = args.flatMap((arg) => readString(arg) ?? []);
  const flag = chosenFlag(names.filter(isFlag));
  const [plain] = names;
  if (plain === undefined || (flag === undefined && plain.startsWith("-"))) return null;
  const action = readString(named.get("action")) ?? named.get("action") ?? "store";
  if (action === "help" || action === "version") return null;
  const help = readString(named.get("help"));
  const nargs = named.get("nargs");
  const many = manyOf(nargs);
  const value = { help, ...argparseValue(named) };
  if (flag === undefined) {
    const takesRest = /REMAINDER$/.test(nargs ?? "");
    const required = !takesRest && !/^["'][?*]["']$/.test(nargs ?? "");
    const repeat = many !== null;
    return { name: plain, kind: "positional", ...value, ...many, required, repeat, mayBeOption: takesRest };
  }
  const name = readString(named.get("dest")) ?? flag;
  if (/^(store_true|store_const|append_const|count)$|BooleanOptionalAction$/.test(action))
    return flagParam(name, flag, help);
  if (action === "store_false") return flagParam(flag, flag, help);
  const required = readLiteral(named.get("required")) === true;
  const together = many !== null || action === "extend";
  return { name, kind: "option", flag, ...value, ...many, required, repeat: together || action === "append", together };
}

function manyOf(nargs: string | undefined): Pick<FoundParam, "minItems" | "maxItems"> | null {
  const value = readLiteral(nargs);
  if (typeof value === "number" && value >= 1 && value <= 100) return { minItems: value, maxItems: value };
  if (value === "+") return { minItems: 1 };
  return value === "*" || /REMAINDER$/.test(nargs ?? "") ? {} : null;
}

function argparseValue(named: Call["named"]): Value {
  const choices = readLiteral(named.get("choices"));
  const list = Array.isArray(choices) ? choices : undefined;
  const isNumeric = list !== undefined && list.length > 0 && list.every((choice) => typeof choice === "number");
  const type = TYPES[named.get("type") ?? ""] ?? (isNumeric ? "number" : "string");
  return { type, choices: list, default: readLiteral(named.get("default")) };
}

/** Arguments declared with click; with several commands only their names. */
export function readClick(text: string): FoundArguments | null {
  const options = readCalls(text, /@click\.option\(/g);
  const args = readCalls(text, /@click\.argument\(/g);
  const group = /@(?:click|\w{1,50})\.group\(/.exec(text);
  const commands = group ? clickCommands(text) : [];
  const first = [...options, ...args].sort((one, other) => one.index - other.index)[0];
  if (first === undefined && commands.length === 0) return null;
  const line = lineAt(text, group?.index ?? first?.index ?? 0);
  const found: FoundArguments = {
    params: [
      ...options.flatMap((call) => readClickOption(call) ?? []),
      ...args.flatMap((call) => readClickArgument(call) ?? []),
    ],
    ...{ standard: true, readFrom: "click", line, confidence: "declared" },
    note: "The decorators name each argument. Check the types and which ones are required.",
  };
  return commands.length > 0 ? withCommands(found, commands) : found;
}

function clickCommands(text: string): string[] {
  const found = [...text.matchAll(/@\w{1,50}\.command\(\s*(?:["']([\w-]{1,60})["'])?/g)];
  return found.slice(0, 100).flatMap((match) => {
    const rest = text.slice(match.index, match.index + 4_000);
    const name = match[1] ?? /\n[ \t]*(?:async[ \t]+)?def[ \t]+(\w{1,60})/.exec(rest)?.[1]?.replaceAll("_", "-");
    return name ?? [];
  });
}

function readClickOption({ args, named }: Call): FoundParam | null {
  const names = args.flatMap((arg) => readString(arg) ?? []);
  const flag = chosenFlag(names.flatMap((name) => name.split("/")[0]?.trim() ?? []).filter(isFlag));
  if (flag === undefined) return null;
  const name = names.find((candidate) => /^[A-Za-z_]\w*$/.test(candidate)) ?? flag;
  const help = readString(named.get("help"));
  const isTrue = (key: string) => readLiteral(named.get(key)) === true;
  const isSwitch = names.some((candidate) => candidate.includes("/"));
  if (isSwitch || isTrue("is_flag") || isTrue("count")) return flagParam(name, flag, help);
  const nargs = readLiteral(named.get("nargs"));
  const isMany = typeof nargs === "number" && nargs > 1 && nargs <= 100;
  return {
    ...{ name, kind: "option", flag, help, ...clickValue(named), required: isTrue("required") },
    ...{ repeat: isMany || isTrue("multiple"), together: isMany },
    ...(isMany ? { minItems: nargs, maxItems: nargs } : {}),
  };
}

function readClickArgument({ args, named }: Call): FoundParam | null {
  const name = readString(args[0]);
  if (name === undefined) return null;
  const nargs = readLiteral(named.get("nargs"));
  const value = clickValue(named);
  const declared = readLiteral(named.get("required"));
  const required = typeof declared === "boolean" ? declared : nargs !== -1 && value.default === undefined;
  return { name, kind: "positional", ...value, required, repeat: typeof nargs === "number" && nargs !== 1 };
}

function clickValue(named: Call["named"]): Value {
  const raw = named.get("type") ?? "";
  const choice = /^click\.Choice\(/.exec(raw);
  const listed = choice ? readLiteral(readBrackets(raw.slice(choice[0].length - 1))?.[0]) : undefined;
  const fallback = readLiteral(named.get("default"));
  const isInteger =
    /^(int|click\.INT|click\.IntRange\b.*)$/s.test(raw) || (raw === "" && Number.isSafeInteger(fallback));
  const isNumber = /^(float|click\.FLOAT|click\.FloatRange\b.*)$/s.test(raw);
  const type = isInteger ? "integer" : isNumber ? "number" : "string";
  return { type, choices: Array.isArray(listed) ? listed : undefined, default: fallback };
}

/** Arguments of a typer script's single command; with several commands only their names. */
export function readTyper(text: string): FoundArguments | null {
  if (!/^\s*(?:import|from) typer\b/m.test(text)) return null;
  const commands = [...text.matchAll(/@\w{1,50}\.command\([^)\n]{0,200}\)[^@]{0,500}?\bdef[ \t]+(\w{1,60})\(/g)];
  const run = /typer\.run\(\s*(\w{1,60})\s*\)/.exec(text);
  const name = run?.[1] ?? commands[0]?.[1];
  if (name === undefined) return null;
  const at = text.search(new RegExp(`\\bdef[ \\t]+${name}\\(`));
  const parts = at === -1 ? null : splitParts(text, text.indexOf("(", at) + 1);
  if (parts === null) return null;
  const found: FoundArguments = {
    params: parts.flatMap((part) => readTyperParameter(part) ?? []),
    ...{ standard: true, readFrom: "typer", line: lineAt(text, at), confidence: "declared" },
    note: "The parameters of the command name each argument. Check the types.",
  };
  if (run !== null || commands.length === 1) return found;
  const names = commands.flatMap((match) => match[1]?.replaceAll("_", "-") ?? []);
  return withCommands(found, names);
}

function readTyperParameter(part: string): FoundParam | null {
  const name = /^\w{1,60}/.exec(part)?.[0];
  const equals = outerEquals(part);
  const value = equals === -1 ? undefined : part.slice(equals + 1).trim();
  const annotated = part.slice(name?.length ?? 0, equals === -1 ? undefined : equals).trim();
  const annotation = annotated.startsWith(":") ? annotated.slice(1).trim() : "str";
  if (name === undefined || /\bContext\b/.test(annotation)) return null;
  const inValue = typerCall(value);
  const declared = inValue ?? typerCall(annotation);
  const plain = annotation.replace(/^(?:Annotated|Optional)\[/, "");
  const repeat = /^(?:typing\.)?[Ll]ist\[/.test(plain);
  const word = /^(?:(?:typing\.)?[Ll]ist\[)?\s*(\w+)/.exec(plain)?.[1] ?? "";
  const type = word === "bool" ? "boolean" : (TYPES[word] ?? "string");
  const first = declared?.call.args[0];
  const isOpen = first === "..." || first === undefined;
  const fallback = inValue ? (first === "..." ? undefined : readLiteral(first)) : readLiteral(value);
  const required = inValue ? isOpen : value === undefined;
  const help = readString(declared?.call.named.get("help"));
  const isOption = declared ? declared.kind === "Option" : value !== undefined;
  if (!isOption) return { name, kind: "positional", type, required, help, default: fallback, repeat };
  const flags = (declared?.call.args ?? []).flatMap((arg) => readString(arg)?.split("/")[0] ?? []).filter(isFlag);
  const flag = chosenFlag(flags) ?? `--${name.replaceAll("_", "-")}`;
  if (type === "boolean") return flagParam(name, flag, help);
  return { name, kind: "option", flag, type, required, help, default: fallback, repeat };
}

function outerEquals(part: string): number {
  let depth = 0;
  for (let at = 0; at < part.length; at += 1) {
    const char = part[at] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "=" && depth === 0) return at;
  }
  return -1;
}

function typerCall(raw = ""): { kind: string; call: Call } | null {
  const found = /typer\.(Option|Argument)\(/.exec(raw);
  const [call] = found ? readCalls(raw, /typer\.(?:Option|Argument)\(/g) : [];
  return found?.[1] !== undefined && call !== undefined ? { kind: found[1], call } : null;
}
