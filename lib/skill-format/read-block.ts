import matter from "gray-matter";
import { emptyMapping, parseYamlBlock, type YamlFailure, type YamlMapping } from "./parse-yaml-block";
import { readPlainBlock } from "./read-plain-block";

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
