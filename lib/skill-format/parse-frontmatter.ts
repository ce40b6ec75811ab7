import matter from "gray-matter";
import { parseYamlBlock, type YamlFailure, type YamlMapping } from "./parse-yaml-block";
import { REPAIRS } from "./repair-frontmatter";
import type { Diagnostic } from "./schema";
import { splitFrontmatter } from "./split-frontmatter";

export type ParsedFrontmatter = { mapping: YamlMapping | null; body: string; diagnostics: Diagnostic[] };

/**
 * Reads the frontmatter of a SKILL.md. Never throws and never evaluates: problems become diagnostics with their line in the
 * file, and `mapping` is null when nothing could be read. Repairs are tried only when the block is not valid YAML.
 */
export function parseFrontmatter(text: string, path: string): ParsedFrontmatter {
  const split = splitFrontmatter(text);
  if (split.kind !== "found") {
    const problem = PROBLEMS[split.kind];
    return { mapping: null, body: split.body, diagnostics: [{ ...problem, path, line: 1 }] };
  }
  const first = readBlock(split.block);
  if (!("code" in first)) return { mapping: first, body: split.body, diagnostics: describeDropped(first, path) };
  const failure: Diagnostic = {
    code: first.code,
    severity: "warning",
    path,
    line: first.line + 1,
    message: `The frontmatter is not valid. ${first.message}`,
  };
  const repaired = first.code === "yaml_invalid" ? repair(split.block, path) : null;
  if (repaired === null) return { mapping: null, body: split.body, diagnostics: [failure] };
  return { ...repaired, body: split.body, diagnostics: [failure, ...repaired.diagnostics] };
}

const PROBLEMS = {
  absent: {
    code: "frontmatter_missing",
    severity: "warning",
    message: "There is no frontmatter: the first line is not ---.",
  },
  empty_file: { code: "file_empty", severity: "error", message: "The file is empty." },
  bad_fence: {
    code: "fence_invalid",
    severity: "error",
    message: "The first line must be exactly ---; frontmatter in another language is never evaluated.",
  },
  unclosed: {
    code: "fence_unclosed",
    severity: "warning",
    message: "The frontmatter has no closing --- line, so none of it was read.",
  },
} as const satisfies Record<string, Diagnostic>;

function repair(block: string, path: string): { mapping: YamlMapping; diagnostics: Diagnostic[] } | null {
  const diagnostics: Diagnostic[] = [];
  let current = block;
  for (const { code, message, apply } of REPAIRS) {
    const next = apply(current);
    if (next === null) continue;
    current = next;
    diagnostics.push({ code, severity: "warning", path, message });
    const mapping = readBlock(current);
    if (!("code" in mapping)) return { mapping, diagnostics: [...diagnostics, ...describeDropped(mapping, path)] };
  }
  return null;
}

function describeDropped(mapping: YamlMapping, path: string): Diagnostic[] {
  return mapping.droppedKeys.map((key) => ({
    code: "key_dropped",
    severity: "warning",
    path,
    message: `The key "${key}" is not allowed and was dropped.`,
  }));
}

// gray-matter looks for comments with a pattern that is quadratic in a run of blanks.
const LONG_BLANK = /\s{1000}/;

/**
 * gray-matter gets a block whose fences are already checked, always with options (without any it caches, and a second
 * parse of a broken file succeeds), and no engine but ours. The result is wrapped, because gray-matter acts on keys of
 * the data such as `excerpt_separator`.
 */
function readBlock(block: string): YamlMapping | YamlFailure {
  if (LONG_BLANK.test(block))
    return { code: "frontmatter_too_large", line: 1, message: "It has too many blank lines." };
  // A line that only begins with --- would end the block for gray-matter, and is an error or a second document in YAML.
  const early = block.split("\n").findIndex((line) => line.startsWith("---"));
  if (early !== -1) return { code: "yaml_invalid", line: early + 1, message: "A line begins with --- but has more." };
  const result: { parsed?: YamlMapping | YamlFailure } = matter(`---\n${block}\n---\n`, OPTIONS).data;
  return result.parsed ?? parseYamlBlock("");
}

const OPTIONS = {
  language: "yaml",
  delimiters: "---",
  engines: {
    yaml: (text: string) => ({ parsed: parseYamlBlock(text.replace(/^\n/, "")) }),
    ...Object.fromEntries(
      ["js", "javascript", "json", "coffee", "coffeescript", "cson", "toml"].map((name) => [name, refuse]),
    ),
  },
};

function refuse(): never {
  throw new Error("Only YAML frontmatter is read.");
}
