import { buildProposal, type FoundArguments, lineAt } from "./build-proposal";
import { readCommander, readParseArgs, readYargs } from "./read-node";
import { readArgparse, readClick, readTyper } from "./read-python";
import { readCaseLoop, readGetopts, readShellWords } from "./read-shell";
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
