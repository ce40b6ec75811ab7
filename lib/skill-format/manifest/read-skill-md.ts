import { decodeSkillText } from "@/lib/skill-format/archive/decode-text";
import { applyDialects, describeUnknown } from "@/lib/skill-format/dialects/apply-dialects";
import type { SkillPart } from "@/lib/skill-format/dialects/dialect";
import { restoreMoved } from "@/lib/skill-format/dialects/moved-fields";
import { normalizeLimits, normalizeNameFields } from "@/lib/skill-format/dialects/normalize-keys";
import { SKILL_MD_DIALECTS } from "@/lib/skill-format/dialects/tables";
import { NO_TOOL } from "@/lib/skill-format/dialects/tools";
import { findInlineCommands } from "@/lib/skill-format/find-executables";
import { type ParsedFrontmatter, parseFrontmatter } from "@/lib/skill-format/frontmatter/parse-frontmatter";
import { type Diagnostic, NO_REQUIREMENTS } from "@/lib/skill-format/schema";

export type SkillMdPart = SkillPart & {
  stage: ParsedFrontmatter["stage"];
  topLevel: ReadonlySet<string>;
};

/** Reads a SKILL.md in any known dialect. Never throws. Unknown fields stay in `meta`. */
export function readSkillMd(file: { path: string; bytes: Uint8Array }): SkillMdPart {
  const { path } = file;
  const decoded = decodeSkillText(file.bytes, path);
  const { mapping: parsed, body, stage, blockLine, diagnostics: problems } = parseFrontmatter(decoded.text, path);
  const inlineCommands = findInlineCommands(body);
  if (parsed === null) {
    const lost = describeUnreadable(decoded.text, problems, path);
    const diagnostics = [...decoded.diagnostics, ...problems, ...lost.diagnostics];
    return { fields: { body, inlineCommands, ...lost.fields }, meta: {}, stage, topLevel: new Set(), diagnostics };
  }
  const topLevel = new Set(Object.keys(parsed.values));
  const { mapping: restored, kept } = restoreMoved(parsed);
  const named = normalizeNameFields(restored);
  const { mapping, renames } = normalizeLimits(named.mapping);
  for (const { key, field } of [...named.renames, ...renames]) {
    const message = `"${key}" is read as "${field}". Most agents do not know it.`;
    const line = (parsed.lines.get(key) ?? 1) + blockLine - 1;
    problems.push({ code: "key_respelled", severity: "warning", path, line, message });
  }
  const { fields, meta, diagnostics } = applyDialects(mapping, { path, firstLine: blockLine }, SKILL_MD_DIALECTS);
  if (fields.name !== undefined) fields.name = fields.name.trim();
  fields.body = body;
  fields.inlineCommands = inlineCommands;
  Object.assign(meta, kept);
  const unknown = describeUnknown(Object.keys(mapping.values), path, SKILL_MD_DIALECTS, ["steps"]);
  return {
    ...{ fields, meta, stage, topLevel },
    diagnostics: [...decoded.diagnostics, ...problems, ...diagnostics, ...unknown],
  };
}

// Keys that restrict who is offered the skill and what it may use, in any dialect.
const REQUIRES =
  /(?:^|[\s{,"'])(?:metadata|requires|prerequisites|required_environment_variables|required_capabilities|platforms)["']?\s*:/;
const LIMITS_TOOLS = /(?:^|[\s{,"'])(?:dis)?allowed[-_]?tools["']?\s*:/i;
const UNREAD: ReadonlySet<string> = new Set(["yaml_invalid", "frontmatter_too_large", "fence_unclosed"]);

/** An unreadable frontmatter may have contained requirements or tool limits, so both count as unmet. */
function describeUnreadable(
  text: string,
  problems: Diagnostic[],
  path: string,
): Pick<SkillPart, "fields" | "diagnostics"> {
  const isUnread = problems.some(({ code }) => UNREAD.has(code));
  if (!isUnread || !(REQUIRES.test(text) || LIMITS_TOOLS.test(text))) return { fields: {}, diagnostics: [] };
  const message = "The frontmatter cannot be read, so its requirements are unknown. The skill is not eligible.";
  return {
    fields: {
      requirements: { ...NO_REQUIREMENTS, invalid: true },
      ...(LIMITS_TOOLS.test(text) && { allowedTools: [NO_TOOL] }),
    },
    diagnostics: [{ code: "requirements_invalid", severity: "warning", path, message }],
  };
}
