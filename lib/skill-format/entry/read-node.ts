import {
  chosenFlag,
  type FoundArguments,
  type FoundParam,
  flagParam,
  isFlag,
  lineAt,
  REMAINING_ARGUMENTS,
  withCommands,
} from "./build-proposal";
import { type Call, readBrackets, readCalls, readFields, readLiteral, readString } from "./read-call";

/** Arguments declared with commander; only the names of its commands. */
export function readCommander(text: string): FoundArguments | null {
  if (!/["'](?:commander|cac)["']/.test(text)) return null;
  const options = readCalls(text, /\.option\(/g, ":");
  const requiredOptions = readCalls(text, /\.requiredOption\(/g, ":");
  const positionals = readCalls(text, /\.arguments?\(/g, ":");
  const commands = readCalls(text, /\.command\(/g, ":").flatMap(
    ({ args }) => readString(args[0])?.split(/[\s<[]/)[0] ?? [],
  );
  const first = [...options, ...requiredOptions, ...positionals].sort((a, b) => a.index - b.index)[0];
  if (first === undefined && commands.length === 0) return null;
  const names = commands.filter((name) => name !== "");
  const found: FoundArguments = {
    params: [
      ...options.flatMap((call) => readOption(call, false) ?? []),
      ...requiredOptions.flatMap((call) => readOption(call, true) ?? []),
      ...positionals.flatMap(readArguments),
    ],
    ...{ standard: true, readFrom: "commander", line: first ? lineAt(text, first.index) : null },
    ...{ confidence: "declared", note: "The script declares each argument as text. Check which ones are numbers." },
  };
  return names.length > 0 ? withCommands(found, names) : found;
}

function readOption({ args }: Call, required: boolean): FoundParam | null {
  const spec = readString(args[0])?.slice(0, 300) ?? "";
  const words = spec.split(/[\s,|]+/);
  const flag = chosenFlag(words.filter(isFlag));
  if (flag === undefined) return null;
  const value = words.find((word) => /^[<[]/.test(word));
  const help = readString(args[1]);
  if (value === undefined) return flagParam(flag, flag, help);
  const repeat = value.includes("...");
  const fallback = readLiteral(args[2]);
  const type = Number.isSafeInteger(fallback) ? "integer" : typeof fallback === "number" ? "number" : "string";
  const isNeeded = required && fallback === undefined;
  const option = { name: flag, kind: "option", flag, type, required: isNeeded, help, default: fallback } as const;
  return { ...option, repeat, together: repeat };
}

function readArguments({ args }: Call): FoundParam[] {
  const spec = readString(args[0])?.slice(0, 300) ?? "";
  return spec.split(/\s+/).flatMap((word): FoundParam[] => {
    const [, open, name] = /^([<[])?([\w-]{1,60})/.exec(word) ?? [];
    if (name === undefined) return [];
    const required = open !== "[";
    return [{ name, kind: "positional", required, help: readString(args[1]), repeat: word.includes("...") }];
  });
}

export function readYargs(text: string): FoundArguments | null {
  if (!/["']yargs(?:\/[\w/-]{1,40})?["']/.test(text)) return null;
  const single = readCalls(text, /\.(?:option|positional)\(/g, ":");
  const several = readCalls(text, /\.options\(/g, ":");
  const fields = several.flatMap(({ args, named }) => [...named, ...args.flatMap((arg) => [...readFields(arg)])]);
  const needed = readCalls(text, /\.demandOption\(/g, ":").flatMap(({ args }) => {
    const value = readLiteral(args[0]);
    return Array.isArray(value) ? value : [value];
  });
  const params = [
    ...single.flatMap(({ args, index }) => {
      const isPositional = text.startsWith(".positional", index);
      return readYargsOption(readString(args[0]) ?? "", readFields(args[1] ?? ""), isPositional) ?? [];
    }),
    ...fields.flatMap(([name, raw]) => readYargsOption(name, readFields(raw), false) ?? []),
  ].map((param) => ({ ...param, required: param.required || needed.includes(param.name) }));
  const first = single[0] ?? several[0];
  if (params.length === 0 || first === undefined) return null;
  return {
    ...{ params, standard: true, readFrom: "yargs", line: lineAt(text, first.index), confidence: "declared" },
    note: "The script declares each option. Check its positional arguments.",
  };
}

function readYargsOption(name: string, fields: Map<string, string>, isPositional: boolean): FoundParam | null {
  const type = readString(fields.get("type")) ?? "";
  const has = (key: string) => readLiteral(fields.get(key)) === true;
  const help = readString(fields.get("describe") ?? fields.get("description") ?? fields.get("desc"));
  const flag = `${name.length === 1 ? "-" : "--"}${name}`;
  if (!/^[\w.-]{1,60}$/.test(name)) return null;
  if (type === "boolean" || type === "count" || has("boolean")) return flagParam(name, flag, help);
  const choices = fields.get("choices");
  const listed = choices === undefined || readBrackets(choices) === null ? undefined : readLiteral(choices);
  return {
    ...{ name, help, type: type === "number" || has("number") ? "number" : "string" },
    ...(isPositional ? { kind: "positional" } : { kind: "option", flag }),
    default: readLiteral(fields.get("default")),
    required: has("demandOption") || has("required") || has("demand"),
    choices: Array.isArray(listed) ? listed : undefined,
    repeat: type === "array" || has("array"),
  };
}

export function readParseArgs(text: string): FoundArguments | null {
  const [call] = readCalls(text, /\bparseArgs\(/g, ":");
  if (call === undefined) return null;
  const config = call.args[0] !== undefined ? readFields(call.args[0]) : call.named;
  const raw = config.get("options") ?? "";
  const constant = /^[A-Za-z_$][\w$]{0,60}$/.test(raw) || raw === "" ? constantOf(text, raw || "options") : raw;
  const params = [...readFields(constant)].map(([name, field]): FoundParam => {
    const fields = readFields(field);
    const flag = `--${name}`;
    if (readString(fields.get("type")) !== "string") return flagParam(name, flag);
    const repeat = readLiteral(fields.get("multiple")) === true;
    return { name, kind: "option", flag, default: readLiteral(fields.get("default")), repeat };
  });
  const takesMore = readLiteral(config.get("allowPositionals")) === true;
  if (params.length === 0 && !takesMore) return null;
  return {
    params: [...params, ...(takesMore ? [REMAINING_ARGUMENTS] : [])],
    ...{ standard: true, readFrom: "util.parseArgs", line: lineAt(text, call.index), confidence: "declared" },
    note: "The script declares each option, but not which ones are required.",
  };
}

function constantOf(text: string, name: string): string {
  const start = new RegExp(`\\b(?:const|let|var)\\s+${name.replaceAll("$", "\\$")}\\s*=\\s*\\{`, "g");
  const [found] = readCalls(text, start, ":");
  return found ? `{${[...found.named].map(([key, value]) => `${key}: ${value}`).join(",")}}` : "";
}
