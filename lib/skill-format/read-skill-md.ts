import { applyDialects } from "./apply-dialects";
import { decodeSkillText } from "./decode-skill-text";
import { SKILL_MD_DIALECTS } from "./dialects/precedence";
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
  const decoded = decodeSkillText(file.bytes, file.path);
  const parsed = parseFrontmatter(decoded.text, file.path);
  const { body, stage, blockLine, diagnostics } = parsed;
  const fields = { body };
  if (parsed.mapping === null)
    return { fields, meta: {}, stage, diagnostics: [...decoded.diagnostics, ...diagnostics] };
  const { mapping, kept } = restoreMoved(parsed.mapping);
  const said = applyDialects({ ...mapping, firstLine: blockLine, path: file.path }, SKILL_MD_DIALECTS);
  const name = said.fields.name?.trim();
  return {
    fields: { ...said.fields, ...(name !== undefined && { name }), ...fields },
    meta: { ...said.meta, ...kept },
    stage,
    diagnostics: [...decoded.diagnostics, ...diagnostics, ...said.diagnostics],
  };
}
