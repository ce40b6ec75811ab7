import { applyDialects } from "./apply-dialects";
import { decodeSkillText } from "./decode-skill-text";
import { SKILL_MD_DIALECTS } from "./dialects/precedence";
import { findInlineCommands } from "./find-inline-commands";
import { restoreMoved } from "./moved-fields";
import { type ParsedFrontmatter, parseFrontmatter } from "./parse-frontmatter";
import type { SkillPart } from "./skill-part";

/** What a SKILL.md says, and how its frontmatter had to be read. */
export type SkillMdPart = SkillPart & { stage: ParsedFrontmatter["stage"] };

/**
 * What a SKILL.md says in any known dialect (dialects/precedence.ts) and its body. Never throws: bytes that are not text
 * and frontmatter that is not valid become diagnostics. What no dialect names is kept in `meta` untouched.
 */
export function readSkillMd(file: { path: string; bytes: Uint8Array }): SkillMdPart {
  const { path } = file;
  const decoded = decodeSkillText(file.bytes, path);
  const { mapping: parsed, body, stage, blockLine, diagnostics: problems } = parseFrontmatter(decoded.text, path);
  const inlineCommands = findInlineCommands(body);
  if (parsed === null) {
    const diagnostics = [...decoded.diagnostics, ...problems];
    return { fields: { body, inlineCommands }, meta: {}, stage, diagnostics };
  }
  const { mapping, kept } = restoreMoved(parsed);
  const { fields, meta, diagnostics } = applyDialects(mapping, { path, firstLine: blockLine }, SKILL_MD_DIALECTS);
  if (fields.name !== undefined) fields.name = fields.name.trim();
  fields.body = body;
  fields.inlineCommands = inlineCommands;
  Object.assign(meta, kept);
  return { fields, meta, stage, diagnostics: [...decoded.diagnostics, ...problems, ...diagnostics] };
}
