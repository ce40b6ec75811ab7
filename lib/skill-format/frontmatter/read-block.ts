import matter from "gray-matter";
import { MAX_FRONTMATTER_KEYS } from "@/lib/skill-format/archive/limits";
import { isDangerousKey } from "@/lib/skill-format/json-values";
import { emptyMapping, parseYamlBlock, type YamlFailure, type YamlMapping } from "./parse-yaml-block";

// Characters that every YAML reader takes literally: no controls, line separators, surrogates or byte order marks.
const CHAR = "\\x20-\\x7e\\u00a0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd";

/** `key: text` or `key: "text"`; plain text without `: `, ` #` and trailing space, from a letter or digit on. */
const LINE = new RegExp(
  `^([A-Za-z][A-Za-z0-9_-]{0,99}): (?:"((?:(?!["\\\\])[${CHAR}])*)"|([A-Za-z0-9](?:(?![:#])[${CHAR}]|:(?! |$)|(?<! )#)*))$`,
);

const MAX_CHARS = 8_192;

// gray-matter's comment pattern is quadratic in runs of blanks.
const LONG_BLANK = /\s{1000}/;

/**
 * Reads the block between fences. Anything but the plainest form goes through gray-matter to the YAML package: always
 * with options, because gray-matter caches without any and a second parse of a broken file then succeeds; with no
 * engine but ours; and wrapped, because gray-matter interprets keys such as `excerpt_separator`.
 */
export function readBlock(block: string): YamlMapping | YamlFailure {
  const plain = readPlainBlock(block);
  if (plain !== null) return plain;
  if (LONG_BLANK.test(block))
    return { code: "frontmatter_too_large", line: 1, message: "It has too many blank lines." };
  // gray-matter would end the block at a line that only begins with ---.
  const early = block.startsWith("---") ? 0 : block.indexOf("\n---");
  if (early !== -1) {
    const line = block.slice(0, early + 1).split("\n").length;
    return { code: "yaml_invalid", line, message: "A line begins with --- but has more text." };
  }
  const result: { parsed?: YamlMapping | YamlFailure } = matter(`---\n${block}\n---\n`, OPTIONS).data;
  return result.parsed ?? emptyMapping();
}

const OPTIONS = {
  language: "yaml",
  delimiters: "---",
  engines: {
    yaml: (text: string) => ({ parsed: parseYamlBlock(text.startsWith("\n") ? text.slice(1) : text) }),
    // gray-matter's other languages; `js` and `javascript`, in any letter case, use this engine.
    javascript: refuse,
    json: refuse,
  },
};

function refuse(): never {
  throw new Error("Only YAML frontmatter is supported.");
}

/**
 * Fast path for blocks of plain one-line strings, double-quoted strings without escapes, and booleans. Null for all
 * others; equal to `parseYamlBlock` otherwise. Covers half of all skills in a tenth of the time.
 */
export function readPlainBlock(block: string): YamlMapping | null {
  if (block === "" || block.length > MAX_CHARS) return null;
  const mapping = emptyMapping();
  let line = 0;
  for (const text of block.split("\n")) {
    line += 1;
    const [, key, quoted, plain] = LINE.exec(text) ?? [];
    const said = quoted ?? plain;
    if (key === undefined || said === undefined) return null;
    const value = quoted ?? readPlain(said);
    if (value === null || readPlain(key) !== key || isDangerousKey(key) || Object.hasOwn(mapping.values, key))
      return null;
    mapping.values[key] = value;
    mapping.texts.set(key, said);
    mapping.lines.set(key, line);
  }
  return line > MAX_FRONTMATTER_KEYS ? null : mapping;
}

function readPlain(text: string): string | number | boolean | null {
  if (text.endsWith(" ")) return null;
  // Numbers that would print differently stay strings.
  if (/^\d/.test(text)) return String(Number(text)) === text ? Number(text) : text;
  if (text.length > 5) return text;
  const word = text.toLowerCase();
  if (word === "true" || word === "false") return text === word ? word === "true" : null;
  return word === "null" ? null : text;
}
