import { applyDialects } from "./apply-dialects";
import { openjarvisToml } from "./dialects/openjarvis";
import { decodeText } from "./is-text";
import { MAX_SKILL_JSON_BYTES } from "./limits";
import type { PipelineStep } from "./manifest-parts";
import { readToml } from "./read-toml";
import type { Diagnostic, JsonObject } from "./schema";
import type { SkillPart } from "./skill-part";
import { isMapping } from "./take-fields";

const PATH = "skill.toml";
const MAX_STEPS = 100;
const TABLES = [openjarvisToml];

/**
 * What a skill.toml says (OpenJarvis: `[skill]` and `[[skill.steps]]`). Never throws: what cannot be read is a diagnostic, of
 * severity error when the pipeline cannot run with it.
 */
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
  const { steps, diagnostics } = readSteps(rawSteps);
  return { fields: { ...said.fields, steps }, meta: said.meta, diagnostics: [...said.diagnostics, ...diagnostics] };
}

function unreadable(code: string, message: string, line?: number): SkillPart {
  return { fields: {}, meta: {}, diagnostics: [problem(code, message, line)] };
}

function problem(code: string, message: string, line?: number): Diagnostic {
  return { code, severity: "error", path: PATH, ...(line && { line }), message };
}

function readSteps(value: unknown): { steps: PipelineStep[]; diagnostics: Diagnostic[] } {
  if (value === undefined) return { steps: [], diagnostics: [] };
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const diagnostics: Diagnostic[] = [];
  if (items.length > MAX_STEPS) diagnostics.push(problem("steps_too_many", `There are more than ${MAX_STEPS} steps.`));
  const steps: PipelineStep[] = [];
  for (const [index, item] of items.slice(0, MAX_STEPS).entries()) {
    const step = isMapping(item) ? readStep(item) : null;
    if (step !== null) steps.push(step);
    else diagnostics.push(problem("step_invalid", `Step ${index + 1} must name either a tool_name or a skill_name.`));
  }
  return { steps, diagnostics };
}

function readStep(item: JsonObject): PipelineStep | null {
  const text = (key: string) => (typeof item[key] === "string" && item[key] !== "" ? item[key] : null);
  const template = item.arguments_template;
  const toolName = text("tool_name");
  const skillName = text("skill_name");
  if ((toolName === null) === (skillName === null)) return null;
  return {
    toolName,
    skillName,
    argumentsTemplate: isMapping(template) ? JSON.stringify(template) : (text("arguments_template") ?? "{}"),
    outputKey: text("output_key"),
  };
}
