import { MAX_FRONTMATTER_BYTES } from "@/lib/skill-format/archive/limits";
import { knownFieldFor, normalizeFields } from "@/lib/skill-format/dialects/field-names";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { findOpening, findUnusualOpenings, type Opening } from "./find-opening";
import { isFailure, type ParseYaml, type YamlFailure, type YamlMapping } from "./parse-yaml-block";
import { readBlock } from "./read-block";
import {
  createBudgetedParser,
  type Repaired,
  type RepairNote,
  repairFrontmatter,
  type Stage,
} from "./repair-frontmatter";
import { indentQuoted, repairSegments } from "./repair-segments";
import { findClosings, splitFrontmatter } from "./split-frontmatter";

export type ParsedFrontmatter = {
  mapping: YamlMapping | null;
  body: string;
  /** `strict` without a repair, S1 to S6 with one, `none` when nothing could be read. */
  stage: "strict" | Stage | "none";
  blockLine: number;
  diagnostics: Diagnostic[];
};

/**
 * Reads the frontmatter of a SKILL.md without evaluating it. Never throws: problems become diagnostics with line
 * numbers, and `mapping` is null when nothing could be read. Tries repairs S1 to S6 in order, only for a missing or
 * invalid block within the size limit.
 */
export function parseFrontmatter(text: string, path: string): ParsedFrontmatter {
  const split = splitFrontmatter(text);
  if (split.kind === "found") {
    const first = readBlock(split.block);
    if (!isFailure(first)) {
      const isComment = Object.keys(first.values).length === 0 && split.block.trim() !== "";
      const inComment = isComment ? recoverOpening(text, createBudgetedParser()) : null;
      if (inComment !== null) return finish(inComment, inComment.body, inComment.blockLine, path, []);
      return finish({ mapping: first, stage: "strict", notes: [] }, split.body, 2, path, []);
    }
    const failure = describeFailure(first, path);
    if (first.code !== "yaml_invalid") return unreadable(split.body, [failure]);
    const parse = createBudgetedParser();
    const usual = recoverBlock(linesBelow(text), split, parse) ?? recoverOpening(text, parse);
    const repaired =
      countNames(usual) === 2
        ? usual
        : (recoverNormalized(split, usual, parse) ?? usual ?? recoverUnusual(text, parse));
    if (repaired === null) return unreadable(split.body, [failure]);
    return finish(repaired, repaired.body, repaired.blockLine, path, [failure]);
  }
  const problem: Diagnostic = { ...PROBLEMS[split.kind], path, line: 1 };
  const parse = createBudgetedParser();
  const repaired = split.kind === "unclosed" ? recoverBlock(linesBelow(text), null, parse) : null;
  const usual = repaired ?? (split.kind === "empty_file" ? null : recoverOpening(text, parse));
  const found = usual ?? recoverUnusual(text, parse);
  if (found === null) return unreadable(split.body, [problem]);
  // The content was read as data, so the opening line named no language.
  return finish(found, found.body, found.blockLine, path, [{ ...problem, severity: "warning" }]);
}

const PROBLEMS = {
  absent: {
    code: "frontmatter_missing",
    severity: "warning",
    message: "The file has no frontmatter: the first line is not ---.",
  },
  empty_file: { code: "file_empty", severity: "error", message: "The file is empty." },
  bad_fence: {
    code: "fence_invalid",
    severity: "error",
    message: "The first line must be exactly ---. Frontmatter in another language is never evaluated.",
  },
  unclosed: { code: "fence_unclosed", severity: "warning", message: "The frontmatter has no closing --- line." },
} as const satisfies Record<string, Diagnostic>;

type Fenced = { block: string; body: string };
type Recovered = Repaired & { body: string; blockLine: number };

/** Tries indentation of quotes (S5), S1 to S3, earlier ends (S4), then single fields (S5). */
function recoverBlock(below: string[], fenced: Fenced | null, parse: ParseYaml): Recovered | null {
  const quoted = fenced === null ? null : recoverQuoted(fenced, parse);
  if (quoted !== null) return quoted;
  const whole = fenced === null ? null : repairFrontmatter(fenced.block, parse);
  if (fenced !== null && whole !== null) return { ...whole, body: fenced.body, blockLine: 2 };
  const end = fenced === null ? countLinesWithin(below, MAX_FRONTMATTER_BYTES) : fenced.block.split("\n").length;
  const closings = findClosings(below, end);
  for (const repair of [repairFrontmatter, repairSegments]) {
    for (const { block, body, line, kind } of closings) {
      const repaired = repair(block, parse);
      if (repaired === null || !isNamed(repaired.mapping)) continue;
      const message = `The end of the frontmatter is missing. It was assumed here, at ${kind === "fence" ? "an unusual fence" : "the first heading"}.`;
      const note = { code: "repaired_closing", line, message };
      return { ...repaired, stage: "S4", notes: [note, ...repaired.notes], body, blockLine: 2 };
    }
  }
  if (fenced !== null) return withBody(repairSegments(fenced.block, parse), fenced.body);
  // Without an end, the block extends to the blank line after its last field.
  const lastField = below.slice(0, end).findLastIndex((line) => /^[\w-]+:(\s|$)/.test(line));
  const blank = below.findIndex((line, index) => index > lastField && line.trim() === "");
  const cut = blank === -1 ? below.length : blank;
  const block = below.slice(0, cut).join("\n");
  const repaired = repairFrontmatter(block, parse) ?? repairSegments(block, parse);
  if (repaired === null || !isNamed(repaired.mapping)) return null;
  const message = "The end of the frontmatter is missing. It was assumed after the last field.";
  const note = { code: "repaired_closing", line: cut + 1, message };
  return withBody({ ...repaired, stage: "S6", notes: [note, ...repaired.notes] }, below.slice(cut).join("\n"));
}

/** S5 comes first here, because quoted text must not be searched for other structure. */
function recoverQuoted({ block, body }: Fenced, parse: ParseYaml): Recovered | null {
  const indented = block.length > MAX_FRONTMATTER_BYTES ? null : indentQuoted(block);
  if (indented === null) return null;
  const repaired = repairFrontmatter(indented.block, parse) ?? repairSegments(indented.block, parse);
  if (repaired === null) return null;
  return withBody({ ...repaired, stage: "S5", notes: [...indented.notes, ...repaired.notes] }, body);
}

/** S6: a frontmatter that does not start on the first line. */
function recoverOpening(text: string, parse: ParseYaml): Recovered | null {
  const opening = findOpening(text);
  return opening === null ? null : readOpening(opening, parse, "The frontmatter does not start on the first line.");
}

/** S6: a frontmatter in a non-standard form. */
function recoverUnusual(text: string, parse: ParseYaml): Recovered | null {
  for (const opening of findUnusualOpenings(text)) {
    const found = readOpening(opening, parse, "The frontmatter has an unusual form.");
    if (found !== null) return found;
  }
  return null;
}

function readOpening(opening: Opening, parse: ParseYaml, message: string): Recovered | null {
  const split = splitFrontmatter(opening.text);
  if (split.kind !== "found" && split.kind !== "unclosed") return null;
  const direct = split.kind === "found" ? withBody(repairFrontmatter(split.block, parse), split.body) : null;
  const usual = direct ?? recoverBlock(linesBelow(opening.text), split.kind === "found" ? split : null, parse);
  const normalized = split.kind === "found" && countNames(usual) < 2 ? recoverNormalized(split, usual, parse) : null;
  const repaired = normalized ?? usual;
  if (repaired === null || !isNamed(repaired.mapping)) return null;
  const note = { code: "repaired_opening", line: 0, message };
  const [body, blockLine] = [opening.before + repaired.body, opening.firstLine + 1];
  return { ...repaired, stage: "S6", notes: [note, ...repaired.notes], body, blockLine };
}

/** S5: fields that are not written as YAML, if this finds more than other repairs. */
function recoverNormalized({ block, body }: Fenced, usual: Recovered | null, parse: ParseYaml): Recovered | null {
  if (block.length > MAX_FRONTMATTER_BYTES) return null;
  const normalized = normalizeFields(block);
  const repaired = normalized === null ? null : withBody(repairSegments(normalized.block, parse), body);
  if (normalized === null || repaired === null || countNames(repaired) <= countNames(usual)) return null;
  const message = "A field is not written as “key: value”, but was read.";
  const notes = normalized.changed.map((line) => ({ code: "repaired_field", line, message }));
  return { ...repaired, notes: [...notes, ...repaired.notes] };
}

function countNames(recovered: Recovered | null): number {
  const fields = new Set([...(recovered?.mapping.texts.keys() ?? [])].map(knownFieldFor));
  return (fields.has("name") ? 1 : 0) + (fields.has("description") ? 1 : 0);
}

function withBody(repaired: Repaired | null, body: string): Recovered | null {
  return repaired === null ? null : { ...repaired, body, blockLine: 2 };
}

function isNamed({ texts }: YamlMapping): boolean {
  if (texts.has("name") || texts.has("description")) return true;
  return [...texts.keys()].some((key) => ["name", "description"].includes(knownFieldFor(key) ?? ""));
}

function countLinesWithin(lines: string[], maxChars: number): number {
  let chars = 0;
  const beyond = lines.findIndex((line) => {
    chars += line.length + 1;
    return chars > maxChars;
  });
  return beyond === -1 ? lines.length : beyond;
}

function linesBelow(text: string): string[] {
  return text
    .split("\n")
    .slice(1)
    .map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

const MAX_NOTES = 100;

function unreadable(body: string, diagnostics: Diagnostic[]): ParsedFrontmatter {
  return { mapping: null, body, stage: "none", blockLine: 1, diagnostics };
}

function finish(
  { mapping, stage, notes }: { mapping: YamlMapping; stage: "strict" | Stage; notes: RepairNote[] },
  body: string,
  blockLine: number,
  path: string,
  diagnostics: Diagnostic[],
): ParsedFrontmatter {
  for (const { code, line, message } of notes.slice(0, MAX_NOTES)) {
    diagnostics.push({ code, severity: "warning", path, line: Math.max(1, line + blockLine - 1), message });
  }
  if (notes.length > MAX_NOTES) {
    const message = `${notes.length - MAX_NOTES} more repairs were made.`;
    diagnostics.push({ code: "repaired_more", severity: "warning", path, message });
  }
  for (const key of mapping.droppedKeys) {
    const message = `The key "${key}" is not allowed and was removed.`;
    diagnostics.push({ code: "key_dropped", severity: "warning", path, message });
  }
  return { mapping, body, stage, blockLine, diagnostics };
}

function describeFailure({ code, line, message }: YamlFailure, path: string): Diagnostic {
  return { code, severity: "warning", path, line: line + 1, message: `The frontmatter is not valid. ${message}` };
}
