import {
  buildProposal,
  chosenFlag,
  type FoundArguments,
  type FoundParam,
  flagParam,
  isFlag,
  lineAt,
  REMAINING_ARGUMENTS,
} from "./build-proposal";
import { readCommander, readParseArgs, readYargs } from "./read-node";
import { readArgparse, readClick, readTyper } from "./read-python";
import { readArgv, readUsage } from "./read-usage";
import type { EntryProposal } from "./script-entry";

const MAX_READ_CHARS = 128 * 1024;
const MAX_LINE_CHARS = 1_000;

const PYTHON = [readArgparse, readClick, readTyper];
const NODE = [readCommander, readYargs, readParseArgs];
const SHELL = [readGetopts, readCaseLoop];
const FALLBACKS = [readUsage, readArgv];

/**
 * Proposes how to call a script, with an argument schema, from its text; nothing is executed. Tries argument parsers
 * (argparse, click, typer, commander, yargs, `util.parseArgs`, getopts, `case` loops), then usage text, then numbered
 * arguments, else one list of strings. Never throws; time is bounded.
 */
export function proposeEntry(path: string, text: string): EntryProposal {
  const lines = text.slice(0, MAX_READ_CHARS).split("\n");
  const read = lines.map((line) => line.slice(0, MAX_LINE_CHARS)).join("\n");
  const language = languageOf(path, read);
  const json = readsJson(read);
  const readers = { python: PYTHON, node: NODE, shell: SHELL, other: [...PYTHON, ...NODE, ...SHELL] }[language];
  const more = language === "shell" ? [readUsage, readShellWords] : FALLBACKS;
  for (const reader of [...readers, ...more]) {
    const found = reader(read);
    if (found !== null && found.params.length > 0) return buildProposal(path, found, stdinOf(read, language));
  }
  if (json !== -1) return jsonProposal(path, lineAt(read, json + 1));
  return buildProposal(path, NO_PARSER, stdinOf(read, language));
}

const NO_PARSER: FoundArguments = {
  params: [{ name: "args", kind: "positional", repeat: true }],
  standard: false,
  readFrom: "nothing",
  line: null,
  confidence: "guessed",
  note: "No argument parser was found. Arguments are passed as a list of texts; describe them or remove the list.",
};

type Language = "python" | "node" | "shell" | "other";

function languageOf(path: string, text: string): Language {
  const line = text.startsWith("#!") ? (text.slice(0, 200).split("\n", 1)[0] ?? "") : "";
  if (/python/.test(line) || /\.py$/i.test(path)) return "python";
  if (/\bnode\b/.test(line) || /\.(js|mjs|cjs)$/i.test(path)) return "node";
  return /sh\b/.test(line) || /\.(sh|bash)$/i.test(path) ? "shell" : "other";
}

function readsJson(text: string): number {
  return text.search(
    /json\.loads?\(\s*sys\.stdin|JSON\.parse\(\s*(?:[\w.]{0,40}readFileSync\(\s*(?:0|["']\/dev\/stdin))/,
  );
}

function jsonProposal(path: string, line: number): EntryProposal {
  return {
    entry: { path, call: { style: "stdin-json" }, schema: { type: "object" }, output: "text" },
    readFrom: "its input",
    line,
    confidence: "guessed",
    note: "The script reads JSON from its input, but its fields are unknown. Describe them in the schema.",
  };
}

function stdinOf(text: string, language: Language): string | null {
  const reads =
    language === "python"
      ? /\bsys\.stdin\b(?!\.isatty)/.test(text)
      : language === "node" && /process\.stdin\b(?!\.isTTY)|readFileSync\(\s*(?:0\b|["']\/dev\/stdin)/.test(text);
  return reads ? "input" : null;
}

const MAX_BRANCHES = 100;
const MAX_NAMES = 30;

/** Numbered arguments of a shell script: `FILE="$1"`, `${2:-out}`. */
function readShellWords(text: string): FoundArguments | null {
  const names = new Map<number, FoundParam>();
  const pattern =
    /^[ \t]*(?:(?:local|readonly|export|declare)[ \t]+)?([A-Za-z_]\w{0,60})=["']?\$(?:([1-9])|\{([1-9])(:?[-?][^}\n]{0,200})?\})/gm;
  let index = -1;
  for (const match of [...text.matchAll(pattern)].slice(0, 50)) {
    const number = Number(match[2] ?? match[3]);
    if (names.has(number)) continue;
    if (index === -1) index = match.index;
    const fallback = /^:?-(.*)$/s.exec(match[4] ?? "")?.[1];
    names.set(number, {
      ...{ name: (match[1] ?? "").toLowerCase(), kind: "positional", required: fallback === undefined },
      default: /[$`]/.test(fallback ?? "") ? undefined : fallback,
    });
  }
  const last = Math.max(0, ...names.keys());
  if (last === 0) return null;
  const nameless = (at: number): FoundParam => ({ name: `arg_${at}`, kind: "positional", required: true });
  return {
    params: Array.from({ length: last }, (_, at) => names.get(at + 1) ?? nameless(at + 1)),
    ...{ standard: false, readFrom: "$1, $2 …", line: lineAt(text, index + 1), confidence: "guessed" },
    note: "The script reads its arguments by number. Check their names and which ones are required.",
  };
}

/** Options that a shell script reads with getopts; a letter's name is the variable that it sets. */
function readGetopts(text: string): FoundArguments | null {
  const match = /\bgetopts\s+["']?(:?[A-Za-z0-9?:]{1,120})["']?/.exec(text);
  const spec = match?.[1]?.replace(/^:/, "");
  if (match === null || !spec) return null;
  const letters = [...spec.matchAll(/([A-Za-z0-9])(:?)/g)].slice(0, MAX_NAMES);
  const params = letters.flatMap(([, letter = "", colon]): FoundParam[] => {
    const branch = new RegExp(`^[ \\t]*(?:case[^\\n]{0,80} in[ \\t]+)?["']?${letter}["']?[ \\t]*\\)(.{0,200})`, "m");
    const body = branch.exec(text)?.[1] ?? new RegExp(`[;\\s]${letter}\\)(.{0,100})`).exec(text)?.[1] ?? "";
    const help = helpOf(text, letter);
    if (letter === "h" && colon === "") return [];
    const name = /([A-Za-z_]\w{0,60})=/.exec(body.split(";;")[0] ?? "")?.[1]?.toLowerCase() ?? `option_${letter}`;
    const flag = `-${letter}`;
    return [colon === "" ? flagParam(name, flag, help) : { name, kind: "option", flag, help }];
  });
  return {
    params: [...params, ...(/OPTIND/.test(text) ? [REMAINING_ARGUMENTS] : [])],
    ...{ standard: true, readFrom: "getopts", line: lineAt(text, match.index), confidence: "declared" },
    note: "getopts declares the options, but not which ones are required.",
  };
}

function helpOf(text: string, letter: string): string | undefined {
  return new RegExp(
    `^[#\\s"']{0,20}-${letter}[ ,][ \\t]{0,40}(?:[<\\[A-Z]\\S{0,40})?[ \\t]{2,40}(\\S.{0,300})$`,
    "m",
  ).exec(text)?.[1];
}

/** Flags in a shell script's own `case` loop. */
function readCaseLoop(text: string): FoundArguments | null {
  if (!/\b(?:while|for|until)\b/.test(text) || !/\bcase\b/.test(text)) return null;
  const branches = [...text.matchAll(/^[ \t(]*(["']?-[^()\n]{1,200})\)/gm)];
  const params = new Map<string, FoundParam>();
  for (const [at, match] of branches.slice(0, MAX_BRANCHES).entries()) {
    const start = match.index + match[0].length;
    const until = Math.min(branches[at + 1]?.index ?? text.length, start + 600);
    const body = text.slice(start, until).split(";;")[0] ?? "";
    const param = flagOfBranch((match[1] ?? "").replace(/["'\s]/g, "").split("|"), body);
    if (param?.flag !== undefined && !params.has(param.flag)) params.set(param.flag, param);
  }
  const first = branches[0];
  if (params.size === 0 || first === undefined) return null;
  const line = lineAt(text, first.index + 1);
  return {
    params: [...params.values(), REMAINING_ARGUMENTS],
    ...{ standard: false, readFrom: "a case of flags", line, confidence: "described" },
    note: "The flags were found in a loop. Check which ones take a value, and the positional arguments.",
  };
}

function flagOfBranch(patterns: string[], body: string): FoundParam | null {
  const joined = patterns.find((pattern) => /^--[\w-]+=\*$/.test(pattern));
  const flags = patterns.filter(isFlag);
  const flag = chosenFlag(flags) ?? joined?.replace("=*", "");
  if (flag === undefined || flags.some((word) => /^(-h|--help|--version)$/.test(word))) return null;
  const takesValue = flags.length === 0 || /\$\{?[2@]/.test(body) || /\bshift\b\s*;?\s*\w+=["']?\$\{?1/.test(body);
  if (!takesValue) return flagParam(flag, flag);
  const variable = /([A-Za-z_]\w{0,60})(?:\+)?=/.exec(body)?.[1];
  const help = variable && `Sets ${variable}.`;
  return { name: flag, kind: "option", flag, help, joined: flags.length === 0, repeat: /\w\+=\(/.test(body) };
}
