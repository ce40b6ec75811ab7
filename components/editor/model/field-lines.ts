import { isFailure, parseYamlBlock } from "@/lib/skill-format/parse-yaml-block";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { locateBlock } from "../frontmatter/locate-block";

/** The line in SKILL.md of each field of its frontmatter; under "" the first line. Empty without such a file. */
export function fieldLines(files: readonly SkillFile[]): ReadonlyMap<string, number> {
  const file = files.find(({ path }) => path === "SKILL.md");
  if (!file) return new Map();
  const text = new TextDecoder().decode(file.bytes);
  const block = locateBlock(text);
  const mapping = block.kind === "found" ? parseYamlBlock(text.slice(block.start, block.end)) : null;
  const lines = mapping === null || isFailure(mapping) ? [] : mapping.lines;
  return new Map([["", 1], ...[...lines].map(([key, line]) => [key, line + 1] as const)]);
}
