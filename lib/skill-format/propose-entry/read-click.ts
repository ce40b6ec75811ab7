import { chosenFlag, type Found, type FoundParam, isFlag, lineAt, subcommandParams, subcommandsNote } from "./found";
import { type Call, readBrackets, readCalls, readLiteral, readString } from "./read-call";

/** Arguments that a Python script declares with click; of its commands the names only, when it has several. */
export function readClick(text: string): Found | null {
  const options = readCalls(text, /@click\.option\(/g);
  const args = readCalls(text, /@click\.argument\(/g);
  const group = /@(?:click|\w{1,50})\.group\(/.exec(text);
  const commands = group ? namesOf(text) : [];
  const first = [...options, ...args].sort((one, other) => one.index - other.index)[0];
  if (first === undefined && commands.length === 0) return null;
  const declared = [
    ...options.flatMap((call) => optionOf(call) ?? []),
    ...args.flatMap((call) => argumentOf(call) ?? []),
  ];
  return {
    params: commands.length > 0 ? subcommandParams(commands) : declared,
    standard: true,
    readFrom: "click",
    line: lineAt(text, group?.index ?? first?.index ?? 0),
    confidence: commands.length > 0 ? "guessed" : "declared",
    note:
      commands.length > 0
        ? subcommandsNote
        : "Its decorators name each argument. Check the types and what is required.",
  };
}

function namesOf(text: string): string[] {
  const found = [...text.matchAll(/@\w{1,50}\.command\(\s*(?:["']([\w-]{1,60})["'])?/g)];
  return found.slice(0, 100).flatMap((match) => {
    const rest = text.slice(match.index, match.index + 4_000);
    const name = match[1] ?? /\n[ \t]*(?:async[ \t]+)?def[ \t]+(\w{1,60})/.exec(rest)?.[1]?.replaceAll("_", "-");
    return name ?? [];
  });
}

function optionOf({ args, named }: Call): FoundParam | null {
  const names = args.flatMap((arg) => readString(arg) ?? []);
  const flags = names.flatMap((name) => name.split("/")[0]?.trim() ?? []).filter(isFlag);
  const flag = chosenFlag(flags);
  if (flag === undefined) return null;
  const name = names.find((candidate) => /^[A-Za-z_]\w*$/.test(candidate)) ?? flag;
  const help = readString(named.get("help"));
  const isSwitch = names.some((candidate) => candidate.includes("/"));
  if (isSwitch || readLiteral(named.get("is_flag")) === true || readLiteral(named.get("count")) === true)
    return { name, kind: "flag", flag, type: "boolean", required: false, help };
  const nargs = readLiteral(named.get("nargs"));
  const isMany = typeof nargs === "number" && nargs > 1 && nargs <= 100;
  const repeats = isMany || readLiteral(named.get("multiple")) === true;
  return {
    ...{ name, kind: "option", flag, help, ...describeValue(named) },
    required: readLiteral(named.get("required")) === true,
    ...(repeats ? { repeat: true } : {}),
    ...(isMany ? { together: true, minItems: nargs, maxItems: nargs } : {}),
  };
}

function argumentOf({ args, named }: Call): FoundParam | null {
  const name = readString(args[0]);
  if (name === undefined) return null;
  const nargs = readLiteral(named.get("nargs"));
  const value = describeValue(named);
  const said = readLiteral(named.get("required"));
  const required = typeof said === "boolean" ? said : nargs !== -1 && value.default === undefined;
  const repeats = typeof nargs === "number" && nargs !== 1;
  return { name, kind: "positional", ...value, required, ...(repeats ? { repeat: true } : {}) };
}

function describeValue(named: Call["named"]): Pick<FoundParam, "type" | "choices" | "default"> {
  const raw = named.get("type") ?? "";
  const choice = /^click\.Choice\(/.exec(raw);
  const listed = choice ? readLiteral(readBrackets(raw.slice(choice[0].length - 1))?.[0]) : undefined;
  const fallback = readLiteral(named.get("default"));
  const isInteger =
    /^(int|click\.INT|click\.IntRange\b.*)$/s.test(raw) || (raw === "" && Number.isSafeInteger(fallback));
  const isNumber = /^(float|click\.FLOAT|click\.FloatRange\b.*)$/s.test(raw);
  return {
    type: isInteger ? "integer" : isNumber ? "number" : "string",
    choices: Array.isArray(listed) ? listed : undefined,
    default: fallback,
  };
}
