import { decodeText } from "@/lib/skill-format/archive/decode-text";
import { MAX_SKILL_JSON_BYTES } from "@/lib/skill-format/archive/limits";
import { applyDialects, describeUnknown } from "@/lib/skill-format/dialects/apply-dialects";
import type { SkillPart } from "@/lib/skill-format/dialects/dialect";
import { openjarvisToml } from "@/lib/skill-format/dialects/tables";
import { readToml } from "@/lib/skill-format/frontmatter/read-toml";
import { isMapping } from "@/lib/skill-format/json-values";
import { readSteps } from "@/lib/skill-format/pipeline-steps";

const PATH = "skill.toml";
const TABLES = [openjarvisToml];

/** Reads a skill.toml (OpenJarvis: `[skill]` and `[[skill.steps]]`). Never throws: problems become diagnostics. */
export function readSkillToml(file: { bytes: Uint8Array }): SkillPart {
  const text = file.bytes.length > MAX_SKILL_JSON_BYTES ? null : decodeText(file.bytes);
  if (text === null) {
    return file.bytes.length > MAX_SKILL_JSON_BYTES
      ? unreadable("toml_too_large", `The file is larger than ${MAX_SKILL_JSON_BYTES} bytes.`)
      : unreadable("not_utf8", "The file is not UTF-8 text.");
  }
  const toml = readToml(text);
  if (!toml.ok) return unreadable("toml_invalid", `The file is not valid TOML: ${toml.message}.`, toml.line);
  const skill = isMapping(toml.value.skill) ? toml.value.skill : toml.value;
  const { steps: rawSteps, ...values } = skill;
  const said = applyDialects({ values }, { path: PATH }, TABLES);
  const { steps, diagnostics } = readSteps(rawSteps, PATH);
  const unknown = describeUnknown(Object.keys(values), PATH, TABLES);
  return {
    fields: { ...said.fields, steps },
    meta: said.meta,
    diagnostics: [...said.diagnostics, ...diagnostics, ...unknown],
  };
}

function unreadable(code: string, message: string, line?: number): SkillPart {
  return {
    fields: {},
    meta: {},
    diagnostics: [{ code, severity: "error", path: PATH, ...(line && { line }), message }],
  };
}
