import { chosenFlag, type Found, type FoundParam, isFlag, lineAt, subcommandParams, subcommandsNote } from "./found";
import { type Call, readCalls, readLiteral, readString } from "./read-call";

/** Arguments that a Node script declares with commander; of its commands the names only. */
export function readCommander(text: string): Found | null {
  if (!/["'](?:commander|cac)["']/.test(text)) return null;
  const options = readCalls(text, /\.option\(/g, ":");
  const requiredOptions = readCalls(text, /\.requiredOption\(/g, ":");
  const positionals = readCalls(text, /\.arguments?\(/g, ":");
  const commands = readCalls(text, /\.command\(/g, ":").flatMap(
    ({ args }) => readString(args[0])?.split(/[\s<[]/)[0] ?? [],
  );
  const first = [...options, ...requiredOptions, ...positionals].sort((a, b) => a.index - b.index)[0];
  if (first === undefined && commands.length === 0) return null;
  const params = [
    ...options.flatMap((call) => optionOf(call, false) ?? []),
    ...requiredOptions.flatMap((call) => optionOf(call, true) ?? []),
    ...positionals.flatMap(argumentsOf),
  ];
  const names = commands.filter((name) => name !== "");
  return {
    params: names.length > 0 ? subcommandParams(names) : params,
    standard: true,
    readFrom: "commander",
    line: first ? lineAt(text, first.index) : null,
    confidence: names.length > 0 ? "guessed" : "declared",
    note: names.length > 0 ? subcommandsNote : "It declares each argument, all as text: check which are numbers.",
  };
}

function optionOf({ args }: Call, required: boolean): FoundParam | null {
  const spec = readString(args[0])?.slice(0, 300) ?? "";
  const words = spec.split(/[\s,|]+/);
  const flag = chosenFlag(words.filter(isFlag));
  if (flag === undefined) return null;
  const value = words.find((word) => /^[<[]/.test(word));
  const help = readString(args[1]);
  if (value === undefined) return { name: flag, kind: "flag", flag, type: "boolean", required: false, help };
  const repeats = value.includes("...");
  const fallback = readLiteral(args[2]);
  const type = Number.isSafeInteger(fallback) ? "integer" : typeof fallback === "number" ? "number" : "string";
  return {
    ...{
      name: flag,
      kind: "option",
      flag,
      type,
      required: required && fallback === undefined,
      help,
      default: fallback,
    },
    ...(repeats ? { repeat: true, together: true } : {}),
  };
}

function argumentsOf({ args }: Call): FoundParam[] {
  const spec = readString(args[0])?.slice(0, 300) ?? "";
  return spec.split(/\s+/).flatMap((word): FoundParam[] => {
    const [, open, name] = /^([<[])?([\w-]{1,60})/.exec(word) ?? [];
    if (name === undefined) return [];
    const repeats = word.includes("...") ? { repeat: true } : {};
    return [
      { name, kind: "positional", type: "string", required: open !== "[", help: readString(args[1]), ...repeats },
    ];
  });
}
