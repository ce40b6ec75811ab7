import { isMapping } from "../dialects/take-fields";
import type { PipelineStep } from "../manifest/manifest-parts";
import type { Diagnostic, JsonObject } from "../schema";
import { pipelineParameters } from "./pipeline-parameters";

const MAX_STEPS = 100;

/**
 * The steps of a pipeline as TOML or YAML has them, at most 100. Never throws: what cannot be read or can never run is a
 * diagnostic of severity error.
 */
export function readSteps(value: unknown, path: string): { steps: PipelineStep[]; diagnostics: Diagnostic[] } {
  if (value === undefined || value === null) return { steps: [], diagnostics: [] };
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, message: string) => diagnostics.push({ code, severity: "error", path, message });
  if (items.length > MAX_STEPS) report("steps_too_many", `There are more than ${MAX_STEPS} steps.`);
  const steps: PipelineStep[] = [];
  for (const [index, item] of items.slice(0, MAX_STEPS).entries()) {
    const step = isMapping(item) ? readStep(item) : null;
    if (step !== null) steps.push(step);
    else report("step_invalid", `Step ${index + 1} must name either a tool_name or a skill_name.`);
  }
  diagnostics.push(...pipelineParameters(steps, path).diagnostics);
  return { steps, diagnostics };
}

/**
 * What a SKILL.md says of steps: `steps` under `metadata.openjarvis` or `metadata`, or at the top. Lists of anything else
 * than calls are somebody's own field and no pipeline.
 */
export function findSteps(meta: JsonObject): unknown {
  const metadata = isMapping(meta.metadata) ? meta.metadata : {};
  const own = isMapping(metadata.openjarvis) ? metadata.openjarvis : {};
  return [own.steps, metadata.steps, meta.steps].find(isCalls);
}

function isCalls(value: unknown): boolean {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.some((item) => isMapping(item) && ("tool_name" in item || "skill_name" in item));
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
