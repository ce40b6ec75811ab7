import matter from "gray-matter";
import { MAX_FRONTMATTER_KEYS } from "@/lib/skill-format/archive/limits";
import { isDangerousKey } from "@/lib/skill-format/json-values";
import { emptyMapping, parseYamlBlock, type YamlFailure, type YamlMapping } from "./parse-yaml-block";

// Characters that any YAML reader takes for themselves: no controls, line separators, halves of surrogate pairs or byte order marks.
const CHAR = "\\x20-\\x7e\\u00a0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd";

/** `key: text` or `key: "text"` on one line: a text that begins with a letter or digit and has no `: `, no ` #` and no blank at its end. */
const LINE = new RegExp(
  `^([A-Za-z][A-Za-z0-9_-]{0,99}): (?:"((?:(?!["\\\\])[${CHAR}])*)"|([A-Za-z0-9](?:(?![:#])[${CHAR}]|:(?! |$)|(?<! )#)*))$`,
);

const MAX_CHARS = 8_192;

// gray-matter looks for comments with a pattern that is quadratic in a run of blanks.
const LONG_BLANK = /\s{1000}/;

/**
 * The mapping of a block between fences. What is not written in the plainest way goes through gray-matter to the YAML package:
 * gray-matter gets a block whose fences are already checked, always with options (without any it caches, and a second
 * parse of a broken file succeeds), and no engine but ours. The result is wrapped, because gray-matter acts on keys of
 * the data such as `excerpt_separator`.
 */
export function readBlock(block: string): YamlMapping | YamlFailure {
  const plain = readPlainBlock(block);
  if (plain !== null) return plain;
  if (LONG_BLANK.test(block))
    return { code: "frontmatter_too_large", line: 1, message: "It has too many blank lines." };
  // A line that only begins with --- would end the block for gray-matter, and is an error or a second document in YAML.
  const early = block.startsWith("---") ? 0 : block.indexOf("\n---");
  if (early !== -1) {
    const line = block.slice(0, early + 1).split("\n").length;
    return { code: "yaml_invalid", line, message: "A line begins with --- but has more." };
  }
  const result: { parsed?: YamlMapping | YamlFailure } = matter(`---\n${block}\n---\n`, OPTIONS).data;
  return result.parsed ?? emptyMapping();
}

const OPTIONS = {
  language: "yaml",
  delimiters: "---",
  engines: {
    yaml: (text: string) => ({ parsed: parseYamlBlock(text.startsWith("\n") ? text.slice(1) : text) }),
    // All others that it has by itself; the names js and javascript, in any case, lead to this one.
    javascript: refuse,
    json: refuse,
  },
};

function refuse(): never {
  throw new Error("Only YAML frontmatter is read.");
}

/**
 * What a block says that has only the plainest lines of YAML: each a key with a text in one line, plain or in double quotes
 * without escapes, or `true` and `false`. Null for every other block, which is for the YAML package to read; where there is an
 * answer, it is the one that `parseYamlBlock` gives. Half of all skills are written like this, and read in a tenth of the time.
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

/** The text itself, or what YAML knows the word for; null where the package should say. */
function readPlain(text: string): string | number | boolean | null {
  if (text.endsWith(" ")) return null;
  // Of numbers only those that print as they are written stay numbers.
  if (/^\d/.test(text)) return String(Number(text)) === text ? Number(text) : text;
  if (text.length > 5) return text;
  const word = text.toLowerCase();
  if (word === "true" || word === "false") return text === word ? word === "true" : null;
  return word === "null" ? null : text;
}
