import { chosenFlag, type Found, type FoundParam, isFlag, lineAt, subcommandParams, subcommandsNote } from "./found";
import { type Call, readCalls, readLiteral, readString } from "./read-call";

const TYPES: Record<string, FoundParam["type"]> = { int: "integer", float: "number" };

/** Arguments that a Python script declares with argparse; of its subcommands the names only. */
export function readArgparse(text: string): Found | null {
  const calls = readCalls(text, /\.add_argument\(/g);
  const commands = readCalls(text, /\.add_parser\(/g);
  if (!text.includes("argparse") || (calls.length === 0 && commands.length === 0)) return null;
  const nested = new Set([...text.matchAll(/^[ \t]*(\w{1,100})\s*=\s*[\w.]{1,100}\.add_parser\(/gm)].map((m) => m[1]));
  const own = calls.filter(({ index }) => !nested.has(/\w+$/.exec(text.slice(Math.max(0, index - 100), index))?.[0]));
  const params = own.flatMap((call) => paramOf(call) ?? []);
  const names = commands.flatMap(({ args }) => readString(args[0]) ?? []);
  const first = own[0] ?? commands[0] ?? calls[0];
  return {
    params: [...params, ...subcommandParams(names)],
    standard: true,
    readFrom: "argparse",
    line: first ? lineAt(text, first.index) : null,
    confidence: names.length > 0 ? "guessed" : "declared",
    note: names.length > 0 ? subcommandsNote : "Its parser names each argument. Check the types and what is required.",
  };
}

function paramOf({ args, named }: Call): FoundParam | null {
  const names = args.flatMap((arg) => readString(arg) ?? []);
  const flags = names.filter(isFlag);
  const flag = chosenFlag(flags);
  const [plain] = names;
  if (plain === undefined || (flag === undefined && plain.startsWith("-"))) return null;
  const action = readString(named.get("action")) ?? named.get("action") ?? "store";
  if (action === "help" || action === "version") return null;
  const help = readString(named.get("help"));
  if (flag === undefined) return positionalOf(plain, named, help);
  const name = readString(named.get("dest")) ?? flag;
  if (/^(store_true|store_const|append_const|count)$|BooleanOptionalAction$/.test(action))
    return { name, kind: "flag", flag, type: "boolean", required: false, help };
  if (action === "store_false") return { name: flag, kind: "flag", flag, type: "boolean", required: false, help };
  const many = manyOf(named.get("nargs"));
  const repeats = action === "append" || action === "extend" || many !== null;
  return {
    ...{ name, kind: "option", flag, help, ...describeValue(named) },
    required: readLiteral(named.get("required")) === true,
    ...(repeats ? { repeat: true, ...many } : {}),
    ...(many !== null || action === "extend" ? { together: true } : {}),
  };
}

function positionalOf(name: string, named: Call["named"], help: string | undefined): FoundParam {
  const nargs = named.get("nargs");
  const many = manyOf(nargs);
  const isOptional = /^["'][?*]["']$/.test(nargs ?? "") || /REMAINDER$/.test(nargs ?? "");
  return {
    ...{ name, kind: "positional", help, ...describeValue(named), required: !isOptional },
    ...(many === null ? {} : { repeat: true, ...many }),
    ...(/REMAINDER$/.test(nargs ?? "") ? { mayBeOption: true } : {}),
  };
}

/** How many values it takes, when that can be several. */
function manyOf(nargs: string | undefined): Pick<FoundParam, "minItems" | "maxItems"> | null {
  const value = readLiteral(nargs);
  if (typeof value === "number" && value >= 1 && value <= 100) return { minItems: value, maxItems: value };
  if (value === "+") return { minItems: 1 };
  return value === "*" || /REMAINDER$/.test(nargs ?? "") ? {} : null;
}

function describeValue(named: Call["named"]): Pick<FoundParam, "type" | "choices" | "default"> {
  const choices = readLiteral(named.get("choices"));
  const list = Array.isArray(choices) ? choices : undefined;
  const isNumeric = list !== undefined && list.length > 0 && list.every((choice) => typeof choice === "number");
  const type = TYPES[named.get("type") ?? ""] ?? (isNumeric ? "number" : "string");
  return { type, choices: list, default: readLiteral(named.get("default")) };
}
