import { MAX_FRONTMATTER_BYTES, MAX_FRONTMATTER_KEYS } from "@/lib/skill-format/archive/limits";
import { isOneLine, type Segment, splitSegments } from "./frontmatter-segments";
import { isFailure, type YamlMapping } from "./parse-yaml-block";
import type { ParseYaml } from "./repair-budget";
import { isReadableValue, repairValue } from "./repair-value";

/** What a repair did: `line` counts from 1 in the block. */
export type RepairNote = { code: string; line: number; message: string };
export type Repaired = { mapping: YamlMapping; stage: Stage; notes: RepairNote[] };
export type Stage = "S1" | "S2" | "S3" | "S4" | "S5" | "S6";

/**
 * Repairs of a block that is not valid YAML, in this order, each on the text that the one before left: repeated keys (S1),
 * values with ": " in them (S2), other values on one line that cannot be read alone (S3). Null when the block still is not
 * a mapping. The first two thirds of all broken files in public repositories need no more than S2.
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

/** What is said about keys that appear twice in a mapping. */
export function describeRepeated(mapping: YamlMapping): RepairNote[] {
  return mapping.repeatedKeys.map(({ key, line }) => ({
    code: "repaired_duplicate_key",
    line,
    message: `The key "${key}" appears twice; the last one counts here, and other loaders refuse the file.`,
  }));
}

/** A piece of the file for a message. */
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

// A value that begins with one of these is something else than a plain scalar (YAML 1.2.2, section 7.3.3).
const INDICATOR = /^[[\]{}"'|>&*!%@`#,]/;

const quoteColon: ValueEdit = (value) => {
  if (INDICATOR.test(value) || !(value.includes(": ") || value.endsWith(":"))) return null;
  return {
    value: `'${value.replaceAll("'", "''")}'`,
    code: "repaired_unquoted_colon",
    message: `A value with ": " in it was not quoted; it was read as plain text: ${excerpt(value)}`,
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
      message: `A value is not valid YAML; it was read as ${excerpt(repaired)}`,
    };
  };
