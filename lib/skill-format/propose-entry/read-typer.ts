import { type Found, type FoundParam, isFlag, lineAt, subcommandParams, subcommandsNote } from "./found";
import { type Call, readCalls, readLiteral, readString, splitParts } from "./read-call";

const TYPES: Record<string, FoundParam["type"]> = { int: "integer", float: "number", bool: "boolean" };

/** Arguments of the one command of a script that uses typer; the names of its commands when it has several. */
export function readTyper(text: string): Found | null {
  if (!/^\s*(?:import|from) typer\b/m.test(text)) return null;
  const commands = [...text.matchAll(/@\w{1,50}\.command\([^)\n]{0,200}\)[^@]{0,500}?\bdef[ \t]+(\w{1,60})\(/g)];
  const run = /typer\.run\(\s*(\w{1,60})\s*\)/.exec(text);
  const name = run?.[1] ?? commands[0]?.[1];
  if (name === undefined) return null;
  const at = text.search(new RegExp(`\\bdef[ \\t]+${name}\\(`));
  const parts = at === -1 ? null : splitParts(text, text.indexOf("(", at) + 1);
  if (parts === null) return null;
  const isOne = run !== null || commands.length === 1;
  return {
    params: isOne
      ? parts.flatMap((part) => paramOf(part) ?? [])
      : subcommandParams(commands.flatMap((m) => m[1]?.replaceAll("_", "-") ?? [])),
    standard: true,
    readFrom: "typer",
    line: lineAt(text, at),
    confidence: isOne ? "declared" : "guessed",
    note: isOne ? "The parameters of its command name each argument. Check the types." : subcommandsNote,
  };
}

function paramOf(part: string): FoundParam | null {
  const name = /^\w{1,60}/.exec(part)?.[0];
  const equals = outerEquals(part);
  const value = equals === -1 ? undefined : part.slice(equals + 1).trim();
  const said = part.slice(name?.length ?? 0, equals === -1 ? undefined : equals).trim();
  const annotation = said.startsWith(":") ? said.slice(1).trim() : "str";
  if (name === undefined || /\bContext\b/.test(annotation)) return null;
  const declared = callIn(value) ?? callIn(annotation);
  const plain = annotation.replace(/^(?:Annotated|Optional)\[/, "");
  const isList = /^(?:typing\.)?[Ll]ist\[/.test(plain);
  const type = TYPES[/^(?:(?:typing\.)?[Ll]ist\[)?\s*(\w+)/.exec(plain)?.[1] ?? ""] ?? "string";
  const isDeclaredInValue = callIn(value) !== null;
  const first = declared?.call.args[0];
  const fallback = isDeclaredInValue ? (first === "..." ? undefined : readLiteral(first)) : readLiteral(value);
  const required = isDeclaredInValue ? first === "..." || first === undefined : value === undefined;
  const help = readString(declared?.call.named.get("help"));
  const isOption = declared ? declared.kind === "Option" : value !== undefined;
  if (!isOption)
    return { name, kind: "positional", type, required, help, default: fallback, ...(isList ? { repeat: true } : {}) };
  const flags = (declared?.call.args ?? []).flatMap((arg) => readString(arg)?.split("/")[0] ?? []).filter(isFlag);
  const flag = flags.find((word) => word.startsWith("--")) ?? flags[0] ?? `--${name.replaceAll("_", "-")}`;
  if (type === "boolean") return { name, kind: "flag", flag, type, required: false, help };
  return { name, kind: "option", flag, type, required, help, default: fallback, ...(isList ? { repeat: true } : {}) };
}

/** Where the default begins; an = inside brackets is a part of the annotation. */
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

function callIn(raw: string | undefined): { kind: string; call: Call } | null {
  const found = /typer\.(Option|Argument)\(/.exec(raw ?? "");
  const [call] = found ? readCalls(raw ?? "", /typer\.(?:Option|Argument)\(/g) : [];
  return found?.[1] !== undefined && call !== undefined ? { kind: found[1], call } : null;
}
