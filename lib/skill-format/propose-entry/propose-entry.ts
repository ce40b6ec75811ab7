import type { EntryProposal } from "@/lib/skill-format/entry/script-entry";
import { type Found, type FoundParam, isFlag, lineAt, proposalOf } from "./found";
import { readArgparse } from "./read-argparse";
import { readCalls, readFields, readLiteral, readString } from "./read-call";
import { readClick } from "./read-click";
import { readCommander } from "./read-commander";
import { readTyper } from "./read-typer";
import { readArgv, readUsage } from "./read-usage";
import { readYargs } from "./read-yargs";

const MAX_BRANCHES = 100;

const MAX_NAMES = 30;

/** What of a script is looked at. */
const MAX_READ_CHARS = 128 * 1024;
const MAX_LINE_CHARS = 1_000;

const PYTHON = [readArgparse, readClick, readTyper];
const NODE = [readCommander, readYargs, readParseArgs];
const SHELL = [readGetopts, readCaseLoop];
const FALLBACKS = [readUsage, readArgv];

/**
 * How a script is called, and a schema of its arguments, read from its text and never executed: from its parser (argparse,
 * click, typer, commander, yargs, `util.parseArgs`, getopts, a case of flags), else its usage text, else the numbers it
 * takes its arguments by, else one list of texts. Total and bounded, whatever the text is.
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
    if (found !== null && found.params.length > 0) return proposalOf(path, found, stdinOf(read, language));
  }
  if (json !== -1) return jsonProposal(path, lineAt(read, json + 1));
  return proposalOf(path, NOTHING, stdinOf(read, language));
}

const NOTHING: Found = {
  params: [{ name: "args", kind: "positional", type: "string", required: false, repeat: true }],
  standard: false,
  readFrom: "nothing",
  line: null,
  confidence: "guessed",
  note: "Nothing says which arguments it takes. They are passed as a list of texts; describe them, or take the list away.",
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
    note: "It reads JSON from its input, and nothing says which fields: describe them in the schema.",
  };
}

/** The name of a parameter for its input, when it reads that. */
function stdinOf(text: string, language: Language): string | null {
  const reads =
    language === "python"
      ? /\bsys\.stdin\b(?!\.isatty)/.test(text)
      : language === "node" && /process\.stdin\b(?!\.isTTY)|readFileSync\(\s*(?:0\b|["']\/dev\/stdin)/.test(text);
  return reads ? "input" : null;
}

/** Arguments that a shell script takes by their number: `FILE="$1"`, `${2:-out}`. */
function readShellWords(text: string): Found | null {
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
      ...{ name: (match[1] ?? "").toLowerCase(), kind: "positional", type: "string", required: fallback === undefined },
      ...(fallback === undefined || /[$`]/.test(fallback) ? {} : { default: fallback }),
    });
  }
  const last = Math.max(0, ...names.keys());
  if (last === 0) return null;
  const params = Array.from({ length: last }, (_, at): FoundParam => {
    return names.get(at + 1) ?? { name: `arg_${at + 1}`, kind: "positional", type: "string", required: true };
  });
  return {
    params,
    standard: false,
    readFrom: "$1, $2 …",
    line: lineAt(text, index + 1),
    confidence: "guessed",
    note: "It takes its arguments by their number. Check their names, and which of them it needs.",
  };
}

/** The letters that a shell script reads with getopts; a letter’s name is the variable that it sets. */
function readGetopts(text: string): Found | null {
  const match = /\bgetopts\s+["']?(:?[A-Za-z0-9?:]{1,120})["']?/.exec(text);
  const spec = match?.[1]?.replace(/^:/, "");
  if (match === null || !spec) return null;
  const letters = [...spec.matchAll(/([A-Za-z0-9])(:?)/g)].slice(0, MAX_NAMES);
  const params = letters.flatMap(([, letter = "", colon]): FoundParam[] => {
    const body =
      new RegExp(`^[ \\t]*(?:case[^\\n]{0,80} in[ \\t]+)?["']?${letter}["']?[ \\t]*\\)(.{0,200})`, "m").exec(
        text,
      )?.[1] ??
      new RegExp(`[;\\s]${letter}\\)(.{0,100})`).exec(text)?.[1] ??
      "";
    const help = helpOf(text, letter);
    if (letter === "h" && colon === "") return [];
    const name = /([A-Za-z_]\w{0,60})=/.exec(body.split(";;")[0] ?? "")?.[1]?.toLowerCase() ?? `option_${letter}`;
    const flag = `-${letter}`;
    return colon === ""
      ? [{ name, kind: "flag", flag, type: "boolean", required: false, help }]
      : [{ name, kind: "option", flag, type: "string", required: false, help }];
  });
  const takesMore = /OPTIND/.test(text);
  const more: FoundParam = { name: "arguments", kind: "positional", type: "string", required: false, repeat: true };
  return {
    params: [...params, ...(takesMore ? [more] : [])],
    standard: true,
    readFrom: "getopts",
    line: lineAt(text, match.index),
    confidence: "declared",
    note: "Its letters are read with getopts, which does not say which of them it needs.",
  };
}

/** `-n NAME   what it is`, in a usage text. */
function helpOf(text: string, letter: string): string | undefined {
  return new RegExp(
    `^[#\\s"']{0,20}-${letter}[ ,][ \\t]{0,40}(?:[<\\[A-Z]\\S{0,40})?[ \\t]{2,40}(\\S.{0,300})$`,
    "m",
  ).exec(text)?.[1];
}

/** Flags that a shell script looks for in a `case` of its own. */
function readCaseLoop(text: string): Found | null {
  if (!/\b(?:while|for|until)\b/.test(text) || !/\bcase\b/.test(text)) return null;
  const branches = [...text.matchAll(/^[ \t(]*(["']?-[^()\n]{1,200})\)/gm)];
  const params = new Map<string, FoundParam>();
  for (const [at, match] of branches.slice(0, MAX_BRANCHES).entries()) {
    const start = match.index + match[0].length;
    const until = Math.min(branches[at + 1]?.index ?? text.length, start + 600);
    const body = text.slice(start, until).split(";;")[0] ?? "";
    const param = paramOf((match[1] ?? "").replace(/["'\s]/g, "").split("|"), body);
    if (param !== null && !params.has(param.flag ?? "")) params.set(param.flag ?? "", param);
  }
  const first = branches[0];
  if (params.size === 0 || first === undefined) return null;
  const more: FoundParam = { name: "arguments", kind: "positional", type: "string", required: false, repeat: true };
  return {
    params: [...params.values(), more],
    standard: false,
    readFrom: "a case of flags",
    line: lineAt(text, first.index + 1),
    confidence: "described",
    note: "Its flags were read from a loop. Check which take a value, and what it takes without a flag.",
  };
}

function paramOf(patterns: string[], body: string): FoundParam | null {
  const joined = patterns.find((pattern) => /^--[\w-]+=\*$/.test(pattern));
  const flags = patterns.filter(isFlag);
  const flag = flags.find((word) => word.startsWith("--")) ?? flags[0] ?? joined?.replace("=*", "");
  if (flag === undefined || flags.some((word) => /^(-h|--help|--version)$/.test(word))) return null;
  const takesValue = flags.length === 0 || /\$\{?[2@]/.test(body) || /\bshift\b\s*;?\s*\w+=["']?\$\{?1/.test(body);
  if (!takesValue) return { name: flag, kind: "flag", flag, type: "boolean", required: false };
  const variable = /([A-Za-z_]\w{0,60})(?:\+)?=/.exec(body)?.[1];
  const isList = /\w\+=\(/.test(body);
  return {
    ...{ name: flag, kind: "option", flag, type: "string", required: false },
    ...(variable ? { help: `Sets ${variable}.` } : {}),
    ...(flags.length === 0 ? { joined: true } : {}),
    ...(isList ? { repeat: true } : {}),
  };
}

/** Options that a Node script declares with `parseArgs` of `node:util`. */
function readParseArgs(text: string): Found | null {
  const [call] = readCalls(text, /\bparseArgs\(/g, ":");
  if (call === undefined) return null;
  const config = call.args[0] !== undefined ? readFields(call.args[0]) : call.named;
  const raw = config.get("options") ?? "";
  // Options are often a constant of their own.
  const constant = /^[A-Za-z_$][\w$]{0,60}$/.test(raw) || raw === "" ? constantOf(text, raw || "options") : raw;
  const params = [...readFields(constant)].map(([name, field]): FoundParam => {
    const fields = readFields(field);
    const flag = `--${name}`;
    if (readString(fields.get("type")) !== "string")
      return { name, kind: "flag", flag, type: "boolean", required: false };
    const repeats = readLiteral(fields.get("multiple")) === true ? { repeat: true } : {};
    return {
      name,
      kind: "option",
      flag,
      type: "string",
      required: false,
      default: readLiteral(fields.get("default")),
      ...repeats,
    };
  });
  const takesMore = readLiteral(config.get("allowPositionals")) === true;
  if (params.length === 0 && !takesMore) return null;
  const more: FoundParam = { name: "arguments", kind: "positional", type: "string", required: false, repeat: true };
  return {
    params: [...params, ...(takesMore ? [more] : [])],
    standard: true,
    readFrom: "util.parseArgs",
    line: lineAt(text, call.index),
    confidence: "declared",
    note: "It declares each option, and does not say which of them it needs.",
  };
}

function constantOf(text: string, name: string): string {
  const [found] = readCalls(
    text,
    new RegExp(`\\b(?:const|let|var)\\s+${name.replaceAll("$", "\\$")}\\s*=\\s*\\{`, "g"),
    ":",
  );
  return found ? `{${[...found.named].map(([key, value]) => `${key}: ${value}`).join(",")}}` : "";
}
