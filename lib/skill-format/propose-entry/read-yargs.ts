import { type Found, type FoundParam, lineAt } from "./found";
import { type Call, readBrackets, readCalls, readFields, readLiteral, readString } from "./read-call";

/** Options that a Node script declares with yargs. */
export function readYargs(text: string): Found | null {
  if (!/["']yargs(?:\/[\w/-]{1,40})?["']/.test(text)) return null;
  const single = readCalls(text, /\.(?:option|positional)\(/g, ":");
  const several = readCalls(text, /\.options\(/g, ":");
  const fields = several.flatMap(({ args, named }) => [...named, ...args.flatMap((arg) => [...readFields(arg)])]);
  const needed = readCalls(text, /\.demandOption\(/g, ":").flatMap(({ args }) => {
    const value = readLiteral(args[0]);
    return Array.isArray(value) ? value : [value];
  });
  const params = [
    ...single.flatMap((call) => singleOf(call, text) ?? []),
    ...fields.flatMap(([name, raw]) => paramOf(name, readFields(raw), false) ?? []),
  ].map((param) => ({ ...param, required: param.required || needed.includes(param.name) }));
  const first = single[0] ?? several[0];
  if (params.length === 0 || first === undefined) return null;
  return {
    params,
    standard: true,
    readFrom: "yargs",
    line: lineAt(text, first.index),
    confidence: "declared",
    note: "It declares each option. Check what it takes without a name.",
  };
}

function singleOf({ args, index }: Call, text: string): FoundParam | null {
  const name = readString(args[0]);
  if (name === undefined || name === "") return null;
  return paramOf(name, readFields(args[1] ?? ""), text.startsWith(".positional", index));
}

function paramOf(name: string, fields: Map<string, string>, isPositional: boolean): FoundParam | null {
  const said = readString(fields.get("type")) ?? "";
  const has = (key: string) => readLiteral(fields.get(key)) === true;
  const help = readString(fields.get("describe") ?? fields.get("description") ?? fields.get("desc"));
  const flag = `${name.length === 1 ? "-" : "--"}${name}`;
  if (!/^[\w.-]{1,60}$/.test(name)) return null;
  if (said === "boolean" || said === "count" || has("boolean"))
    return { name, kind: "flag", flag, type: "boolean", required: false, help };
  const choices = fields.get("choices");
  const listed = choices === undefined || readBrackets(choices) === null ? undefined : readLiteral(choices);
  const repeats = said === "array" || has("array");
  return {
    ...{
      name,
      help,
      type: said === "number" || has("number") ? "number" : "string",
      default: readLiteral(fields.get("default")),
    },
    ...(isPositional ? { kind: "positional" } : { kind: "option", flag }),
    required: has("demandOption") || has("required") || has("demand"),
    choices: Array.isArray(listed) ? listed : undefined,
    ...(repeats ? { repeat: true } : {}),
  };
}
