import { chosenFlag, type FoundArguments, type FoundParam, flagParam, isFlag, lineAt } from "./build-proposal";

const MAX_WORDS = 60;
const MAX_HELP_LINES = 200;

/** Reads a usage text: `Usage: x [--foo BAR] FILE...`, and the list of options below it. */
export function readUsage(text: string): FoundArguments | null {
  const match = /\busage:?[ \t]*(?:\\n)?(?:\r?\n)?[ \t#*]{0,20}(\S.{0,500})/i.exec(text);
  if (match?.[1] === undefined) return null;
  const words = wordsOf(match[1]);
  const params = new Map<string, FoundParam>();
  for (const param of paramsOf(words))
    params.set(param.flag ?? param.name, params.get(param.flag ?? param.name) ?? param);
  for (const param of listedOptions(text)) {
    const known = params.get(param.flag ?? "");
    params.set(param.flag ?? "", known ? { ...known, help: known.help ?? param.help } : param);
  }
  if (params.size === 0) return null;
  return {
    params: [...params.values()],
    ...{ standard: false, readFrom: "usage text", line: lineAt(text, match.index + 1), confidence: "described" },
    note: "The arguments come from the usage text, which may differ from the code. Check flags, order and which ones are required.",
  };
}

function wordsOf(line: string): string[] {
  const cut = line.split(/["'`]\s*[),;]|\\n|\s{4,}#/)[0] ?? "";
  const words = cut.match(/\[[^\]]{0,120}\](?:\.\.\.)?|<[^>]{0,60}>(?:\.\.\.)?|\{[^}]{0,120}\}|[^\s[\]<>{}]+/g) ?? [];
  const program = words.findIndex(
    (word, at) => at > 0 && /^(?:\[|<|\{|--?[A-Za-z]|[A-Z][A-Z0-9_-]+(?:\.\.\.)?$)/.test(word),
  );
  return program === -1 ? [] : words.slice(program, program + MAX_WORDS);
}

function paramsOf(words: string[]): FoundParam[] {
  const params: FoundParam[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (isOptionsWord(word) || word === "|" || word === "...") continue;
    const isOptional = word.startsWith("[");
    const inner = isOptional ? word.replace(/^\[|\](\.\.\.)?$/g, "").trim() : word;
    const [head = "", ...rest] = inner.split(/[\s=]+|\|/).filter((part) => part !== "");
    if (!isFlag(head)) {
      const param = positionalOf(word, inner, !isOptional);
      if (param !== null) params.push(param);
      continue;
    }
    const next = words[at + 1] ?? "";
    const separate = rest.length === 0 && !isOptional && /^(?:<[^>]*>|[A-Z][A-Z0-9_-]*)$/.test(next);
    if (separate) at += 1;
    const value = rest.find((part) => !isFlag(part));
    const flag = chosenFlag([head, ...rest].filter((part) => isFlag(part) && part.startsWith("--"))) ?? head;
    if (/^(-h|--help|--version)$/.test(flag)) continue;
    params.push(
      separate || value !== undefined
        ? { name: flag, kind: "option", flag, required: !isOptional }
        : flagParam(flag, flag),
    );
  }
  return params;
}

function isOptionsWord(word: string): boolean {
  return /^[[<]?-{0,2}(?:options?|flags?|args)[\]>]?(?:\.\.\.)?$/i.test(word);
}

function positionalOf(word: string, inner: string, required: boolean): FoundParam | null {
  const choices = /^\{([^}]*)\}$/
    .exec(inner)?.[1]
    ?.split(/[,|]/)
    .map((choice) => choice.trim());
  const name = choices ? "command" : /[A-Za-z][\w-]{0,60}/.exec(inner)?.[0].toLowerCase();
  if (name === undefined) return null;
  return { name, kind: "positional", required, choices, repeat: word.includes("...") };
}

function listedOptions(text: string): FoundParam[] {
  const lines = [...text.matchAll(/^[ \t#*]{1,20}(-{1,2}[A-Za-z][^\n]{0,300})$/gm)].slice(0, MAX_HELP_LINES);
  return lines.flatMap(([, line = ""]): FoundParam[] => {
    const [, spec = "", help] = /^(\S.*?)(?:[ \t]{2,}|\t|[ \t]+[:–-][ \t]+)(\S.*)$/.exec(line) ?? [line, line];
    const words = spec.split(/[\s,|=]+/).filter((word) => word !== "");
    if (words.length > 6) return [];
    const flags = words.filter(isFlag);
    const flag = chosenFlag(flags);
    if (flag === undefined || /^(-h|--help|--version)$/.test(flag)) return [];
    const value = words.some((word) => !isFlag(word));
    return value ? [{ name: flag, kind: "option", flag, help }] : [flagParam(flag, flag, help)];
  });
}

const MAX_FOUND = 50;
const NOTE = "The script reads its arguments by number. Check their names and which ones are required.";

const STYLES = [
  {
    readFrom: "sys.argv",
    first: 1,
    one: /(?:^|[\s;(])(?:([A-Za-z_]\w{0,60})\s*(?::\s*\w{1,40}\s*)?=\s*[\w.]{0,40}\(?\s*)?sys\.argv\[(\d)\]/gm,
    several: /^[ \t]*([A-Za-z_][\w, \t]{0,200}?)\s*=\s*sys\.argv\[1:\d?\]/m,
    all: /sys\.argv\[1:\]/,
  },
  {
    readFrom: "process.argv",
    first: 2,
    one: /(?:(?:const|let|var)\s+([A-Za-z_$][\w$]{0,60})\s*=\s*(?:[\w.]{1,40}\(\s*)?)?process\.argv\[(\d)\]/gm,
    several: /(?:const|let|var)\s+\[\s*(?:,\s*,\s*)?([A-Za-z_$][\w$, .\t=]{0,200}?)\]\s*=\s*process\.argv/m,
    all: /process\.argv\.slice\(\s*2\s*\)/,
  },
] as const;

/** Numbered arguments of Python and Node scripts. */
export function readArgv(text: string): FoundArguments | null {
  for (const style of STYLES) {
    const several = style.several.exec(text);
    const params = several?.[1] ? namesIn(several[1]) : numbered(text, style);
    const match = several ?? style.all.exec(text);
    if (params.length === 0 && match === null) continue;
    const index = match?.index ?? text.indexOf(style.readFrom);
    const found = { standard: false, readFrom: style.readFrom, line: lineAt(text, index + 1), note: NOTE } as const;
    return { ...found, params: params.length > 0 ? params : [ALL_ARGUMENTS], confidence: "guessed" };
  }
  return null;
}

const ALL_ARGUMENTS: FoundParam = { name: "args", kind: "positional", repeat: true };

function namesIn(list: string): FoundParam[] {
  return list.split(",").flatMap((raw): FoundParam[] => {
    const name = /^[\s.]*([A-Za-z_$][\w$]*)/.exec(raw)?.[1];
    if (name === undefined) return [];
    const isRest = raw.trim().startsWith("...");
    return [{ name, kind: "positional", required: !isRest && !raw.includes("="), repeat: isRest }];
  });
}

function numbered(text: string, style: (typeof STYLES)[number]): FoundParam[] {
  const names = new Map<number, string | undefined>();
  for (const match of [...text.matchAll(style.one)].slice(0, MAX_FOUND)) {
    const number = Number(match[2]);
    if (number >= style.first) names.set(number, names.get(number) ?? match[1]);
  }
  const last = Math.max(0, ...names.keys());
  return Array.from({ length: Math.max(0, last - style.first + 1) }, (_, at): FoundParam => {
    const name = names.get(at + style.first) ?? `arg_${at + 1}`;
    return { name, kind: "positional", required: at === 0 };
  });
}
