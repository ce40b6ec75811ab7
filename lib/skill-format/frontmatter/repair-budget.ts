import { parseYamlBlock, type YamlFailure, type YamlMapping } from "./parse-yaml-block";

export type ParseYaml = (block: string) => YamlMapping | YamlFailure;

/** About three readings of the largest frontmatter that was ever seen (33 KB), whatever it says. */
const MAX_REPAIR_WORK = 600_000;
const QUADRATIC_CHARS = 8_192;
/** Twice what a frontmatter may nest. */
const MAX_BRACKETS = 16;

/**
 * Reads YAML as often as one file's repairs need, and no more: each reading is charged by its length, long ones more than in
 * proportion, because the YAML package takes quadratic time for some input. Repeated keys are allowed, the last one counts.
 * When the budget is spent, and for brackets nested deeper than 16, every answer is a failure.
 */
export function createBudgetedParser(): ParseYaml {
  let work = 0;
  return (block) => {
    work += block.length + block.length ** 2 / QUADRATIC_CHARS;
    if (work > MAX_REPAIR_WORK || isDeep(block)) {
      return { code: "yaml_invalid", line: 1, message: "It is too much to be repaired." };
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
