import { redactMarked } from "@/lib/core/redact/redact-marked";
import { isMapping } from "./json-values";
import { parseTemplate } from "./pipeline-template";
import type { Diagnostic, JsonObject, PipelineStep } from "./schema";

const MAX_STEPS = 100;

/** Reads the steps of a pipeline, at most 100. Never throws: problems become diagnostics of severity error. */
export function readSteps(value: unknown, path: string): { steps: PipelineStep[]; diagnostics: Diagnostic[] } {
  if (value === undefined || value === null) return { steps: [], diagnostics: [] };
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, message: string) => diagnostics.push({ code, severity: "error", path, message });
  if (items.length > MAX_STEPS) report("steps_too_many", `The pipeline has more than ${MAX_STEPS} steps.`);
  const steps: PipelineStep[] = [];
  for (const [index, item] of items.slice(0, MAX_STEPS).entries()) {
    const step = isMapping(item) ? readStep(item) : null;
    if (step !== null) steps.push(step);
    else report("step_invalid", `Step ${index + 1} must name either a tool_name or a skill_name.`);
  }
  diagnostics.push(...pipelineParameters(steps, path).diagnostics);
  return { steps, diagnostics };
}

/** Finds `steps` under `metadata.openjarvis`, `metadata` or the top level; lists without calls are not steps. */
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

/** An argument of a pipeline. `passedAs`: the step (from 0) and argument that get its whole value. */
type Parameter = { name: string; passedAs: { step: number; argument: string } | null; isPart: boolean };

type PipelineParameters = { parameters: Parameter[]; diagnostics: Diagnostic[] };

/**
 * The arguments of a pipeline: placeholders that no earlier step produces, by first use. Unreadable templates, and
 * placeholders that only a later step produces, become diagnostics of severity error.
 */
export function pipelineParameters(steps: readonly PipelineStep[], path?: string): PipelineParameters {
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, message: string) =>
    diagnostics.push({ code, severity: "error", ...(path && { path }), message });
  const parameters = new Map<string, Parameter>();
  const produced = new Set<string>();
  const producers = new Map<string, number>();
  for (const [index, { outputKey }] of steps.entries()) {
    if (outputKey !== null && !producers.has(outputKey)) producers.set(outputKey, index);
  }
  for (const [index, step] of steps.entries()) {
    const parsed = parseTemplate(step.argumentsTemplate);
    if (!parsed.ok) report("template_invalid", `The arguments of step ${index + 1} cannot be read: ${parsed.message}.`);
    for (const { name, argument } of parsed.ok ? parsed.template.placeholders : []) {
      const [root = ""] = name.split(".");
      if (produced.has(name) || produced.has(root)) continue;
      const producer = producers.get(name) ?? producers.get(root);
      if (producer !== undefined) {
        const message = `Step ${index + 1} uses {${name}}, which step ${producer + 1} produces later.`;
        report("placeholder_unknown", message);
        continue;
      }
      const known = parameters.get(root) ?? { name: root, passedAs: null, isPart: false };
      const passedAs = argument !== null && name === root ? { step: index, argument } : null;
      const isPart = known.isPart || name !== root;
      parameters.set(root, { ...known, passedAs: known.passedAs ?? passedAs, isPart });
    }
    if (step.outputKey !== null) produced.add(step.outputKey);
  }
  return { parameters: [...parameters.values()], diagnostics };
}

/**
 * The argument schema of a pipeline. Each parameter is required; it is a string, or has the target's schema when passed
 * as a whole value. Parameters that reach a secret are marked. `targets` are the schemas by step; without them whole
 * values have any type.
 */
export function pipelineSchema(
  steps: readonly PipelineStep[],
  targets: readonly (JsonObject | null)[] | null,
): JsonObject {
  const { parameters } = pipelineParameters(steps);
  const marked = new Set(steps.flatMap((step, index) => markedIn(step, targets?.[index] ?? null)));
  const schemaOf = ({ name, passedAs, isPart }: Parameter): [string, JsonObject] => {
    if (passedAs === null) return [name, isPart ? {} : { type: "string" }];
    const number = passedAs.step + 1;
    const description = `Passed to step ${number} as ${passedAs.argument}.`;
    if (targets === null) return [name, { description }];
    const properties = targets[passedAs.step]?.properties;
    const own = isMapping(properties) ? properties[passedAs.argument] : undefined;
    return [name, isMapping(own) && isPlain(own) ? { description, ...own } : { type: "string", description }];
  };
  const entries = parameters
    .map(schemaOf)
    .map(([name, schema]): [string, JsonObject] => [name, marked.has(name) ? { ...schema, writeOnly: true } : schema]);
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: parameters.map(({ name }) => name),
    additionalProperties: false,
  };
}

function markedIn({ argumentsTemplate }: PipelineStep, target: JsonObject | null): string[] {
  const parsed = parseTemplate(argumentsTemplate);
  if (!parsed.ok || target === null) return [];
  const redacted = parseTemplate(JSON.stringify(redactMarked(target, parsed.template.value)));
  const count = (of: ReturnType<typeof parseTemplate>, name: string) =>
    of.ok ? of.template.placeholders.filter((one) => one.name === name).length : 0;
  const names = parsed.template.placeholders.map(({ name }) => name);
  return names.filter((name) => count(redacted, name) < count(parsed, name)).map((name) => name.split(".")[0] ?? name);
}

/** A schema without references to its document. */
function isPlain(schema: JsonObject): boolean {
  return !/"\$(?:dynamicR|r)ef":/.test(JSON.stringify(schema));
}
