import { MAX_FRONTMATTER_BYTES, MAX_FRONTMATTER_KEYS } from "@/lib/skill-format/archive/limits";
import { KNOWN_KEYS } from "@/lib/skill-format/dialects/field-names";
import { isFailure, type ParseYaml, parseYamlBlock, type YamlMapping } from "./parse-yaml-block";
import { readFlow } from "./read-flow";

export type RepairNote = { code: string; line: number; message: string };
export type Repaired = { mapping: YamlMapping; stage: Stage; notes: RepairNote[] };
export type Stage = "S1" | "S2" | "S3" | "S4" | "S5" | "S6";

/**
 * Repairs a block that is not valid YAML, in this order: repeated keys (S1), values that contain ": " (S2), other
 * unreadable values on one line (S3). Null when the result is still no mapping. S1 and S2 fix two thirds of the broken
 * files in public repositories.
 */
export function repairFrontmatter(block: string, parse: ParseYaml): Repaired | null {
  if (block.length > MAX_FRONTMATTER_BYTES) return null;
  const notes: RepairNote[] = [];
  let current = block;
  for (const { stage, apply } of STEPS) {
    const edit = apply(current, parse);
    if (edit === null) continue;
    current = edit.block;
    notes.push(...edit.notes);
    const mapping = parse(current);
    if (!isFailure(mapping)) return { mapping, stage, notes: [...notes, ...describeRepeated(mapping)] };
  }
  return null;
}

export function describeRepeated(mapping: YamlMapping): RepairNote[] {
  return mapping.repeatedKeys.map(({ key, line }) => ({
    code: "repaired_duplicate_key",
    line,
    message: `The key "${key}" appears twice. The last one counts here; other loaders refuse the file.`,
  }));
}

export function excerpt(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= 80 ? flat : `${flat.slice(0, 79)}…`;
}

type Edit = { block: string; notes: RepairNote[] };

const STEPS: readonly { stage: Stage; apply(block: string, parse: ParseYaml): Edit | null }[] = [
  { stage: "S1", apply: (block) => ({ block, notes: [] }) },
  { stage: "S2", apply: (block) => editValues(block, quoteColon) },
  { stage: "S3", apply: (block, parse) => editValues(block, quoteUnreadable(parse)) },
];

type ValueEdit = (value: string) => { value: string; code: string; message: string } | null;

function editValues(block: string, edit: ValueEdit): Edit | null {
  const lines = block.split("\n");
  const notes: RepairNote[] = [];
  const { segments } = splitSegments(block);
  if (segments.length > MAX_FRONTMATTER_KEYS) return null;
  for (const segment of segments) {
    const result = isOneLine(segment) && segment.value !== "" ? edit(segment.value) : null;
    if (result === null) continue;
    lines[segment.line - 1] = `${keyOf(segment)}: ${result.value}`;
    notes.push({ code: result.code, line: segment.line, message: result.message });
  }
  return notes.length === 0 ? null : { block: lines.join("\n"), notes };
}

function keyOf({ key }: Segment): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
}

// A value that begins with one of these is not a plain scalar (YAML 1.2.2, section 7.3.3).
const INDICATOR = /^[[\]{}"'|>&*!%@`#,]/;

const quoteColon: ValueEdit = (value) => {
  if (INDICATOR.test(value) || !(value.includes(": ") || value.endsWith(":"))) return null;
  return {
    value: `'${value.replaceAll("'", "''")}'`,
    code: "repaired_unquoted_colon",
    message: `A value that contains ": " is not quoted. It was read as plain text: ${excerpt(value)}`,
  };
};

const quoteUnreadable =
  (parse: ParseYaml): ValueEdit =>
  (value) => {
    if (isReadableValue(value, parse)) return null;
    const repaired = repairValue(value, parse);
    return {
      value: repaired,
      code: "repaired_value",
      message: `A value is not valid YAML. It was read as ${excerpt(repaired)}`,
    };
  };

export function isReadableValue(value: string, parse: ParseYaml): boolean {
  return !isFailure(parse(`value: ${value}`));
}

/**
 * Rewrites a value as one-line YAML: JSON with its missing brackets, else a quoted string. Removes block indicators
 * followed by text (`| Text`) and quotes around the whole.
 */
export function repairValue(value: string, parse: ParseYaml): string {
  const flow = readFlow(value, parse);
  return JSON.stringify(flow === undefined ? plainTextOf(value) : flow.value);
}

/** The intended text of a string with unclosed, unescaped or wrongly escaped quotes. */
export function plainTextOf(value: string): string {
  const written = value.trim().replace(/^[|>][+-]?[0-9]?[ \t]+(?=\S)/, "");
  // A comma after a quoted string is left over from JSON.
  const text = /^(["']).*\1,$/s.test(written) ? written.slice(0, -1) : written;
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  const inner = text.slice(1);
  if (!inner.endsWith(quote)) {
    const [quoted = "", rest, ...more] = inner.split(quote);
    if (rest === undefined) return inner;
    // If most of the text is inside, the quote was closed too early; else it encloses one word.
    return more.length === 0 && quoted.length > rest.length * 2 ? `${quoted.trimEnd()} ${rest.trimStart()}` : text;
  }
  const content = inner.slice(0, -1);
  return quote === "'" ? content.replaceAll("''", "'") : content.replace(/\\(["'\\])/g, "$1");
}

/** Enough to read the largest known frontmatter (33 KB) three times. */
const MAX_REPAIR_WORK = 600_000;
const QUADRATIC_CHARS = 8_192;
const MAX_BRACKETS = 16;

/**
 * A YAML parser with a budget for one file's repairs. Charges each call by length, more than proportionally for long
 * text, because the YAML package is quadratic for some input. The last of repeated keys counts. Fails when the budget
 * is spent, and for brackets nested deeper than 16.
 */
export function createBudgetedParser(): ParseYaml {
  let work = 0;
  return (block) => {
    work += block.length + block.length ** 2 / QUADRATIC_CHARS;
    if (work > MAX_REPAIR_WORK || isDeep(block)) {
      return { code: "yaml_invalid", line: 1, message: "It is too large to repair." };
    }
    return parseYamlBlock(block, { lastKeyWins: true });
  };
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth = Math.max(0, depth - 1);
    if (depth > MAX_BRACKETS) return true;
  }
  return false;
}

/** A field as text: its key, the value beside it, and the lines below. `line` counts from 1 in the block. */
export type Segment = { key: string; value: string; below: string[]; line: number };

const KEY = /^(["']?)(<<|[\p{L}_$][\p{L}\p{N}_.$/-]*)\1[ \t]*:(?:[ \t]+(.*))?$/u;

/** Splits a block at keys in column 0. A quoted string extends to its closing quote, or to the next known key. */
export function splitSegments(block: string): { segments: Segment[]; before: string[] } {
  const segments: Segment[] = [];
  const before: string[] = [];
  let openQuote: string | null = null;
  for (const [index, line] of block.split("\n").entries()) {
    const [, , key, value = ""] = KEY.exec(line) ?? [];
    const current = segments.at(-1);
    if (key !== undefined && (openQuote === null || KNOWN_KEYS.has(key))) {
      segments.push({ key, value: value.trim(), below: [], line: index + 1 });
      openQuote = unclosedQuote(value.trim());
    } else if (current === undefined) {
      before.push(line);
    } else {
      current.below.push(line);
      if (openQuote !== null && line.trimEnd().endsWith(openQuote)) openQuote = null;
    }
  }
  return { segments, before };
}

export function isOneLine(segment: Segment): boolean {
  return segment.below.every((line) => /^\s*(#|$)/.test(line));
}

function unclosedQuote(value: string): string | null {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return null;
  return value.length > 1 && value.indexOf(quote, 1) !== -1 ? null : quote;
}
