import { parseTemplate } from "./pipeline-template";
import type { JsonObject, PipelineStep } from "./schema";

/** Where a value comes from: an argument of the pipeline, or the result of an earlier step (from 0). */
export type InputOrigin = { kind: "argument"; name: string } | { kind: "step"; step: number; name: string };

/** One argument of a step. `isWhole`: the argument is exactly that value, not a text or object around it. */
export type StepInput = { argument: string; value: unknown; origins: InputOrigin[]; isWhole: boolean };

export type StepFlow = {
  /** The key of its result, `step-1` and so on by default. */
  key: string;
  inputs: StepInput[];
  /** Later steps that use its result, from 0. */
  usedBy: number[];
  /** Why its arguments cannot be made; null when they can. */
  problem: string | null;
};

/** What each step of a pipeline gets and who uses its result. Never throws. */
export function pipelineFlow(steps: readonly PipelineStep[]): StepFlow[] {
  const flows = steps.map((step, index) => readFlow(steps, step, index));
  for (const [index, flow] of flows.entries()) {
    for (const origin of flow.inputs.flatMap(({ origins }) => origins)) {
      const producer = origin.kind === "step" ? flows[origin.step] : undefined;
      if (producer && !producer.usedBy.includes(index)) producer.usedBy.push(index);
    }
  }
  return flows;
}

function readFlow(steps: readonly PipelineStep[], step: PipelineStep, index: number): StepFlow {
  const key = step.outputKey ?? `step-${index + 1}`;
  const parsed = parseTemplate(step.argumentsTemplate);
  if (!parsed.ok)
    return { key, inputs: [], usedBy: [], problem: `Its arguments template is invalid: it ${parsed.message}.` };
  const problems: string[] = [];
  const inputs = Object.entries(parsed.template.value).map(([argument, value]): StepInput => {
    const names = placeholdersOf({ [argument]: value });
    const origins = names.map((name) => originOf(steps, index, name));
    for (const [at, origin] of origins.entries()) {
      if (origin.kind === "step" && origin.step >= index) {
        problems.push(`It uses {${names[at]}}, which step ${origin.step + 1} produces later.`);
      }
    }
    const isWhole = typeof value === "string" && value === `{${names[0]}}`;
    return { argument, value, isWhole, origins: origins.filter((one) => one.kind === "argument" || one.step < index) };
  });
  return { key, inputs, usedBy: [], problem: problems[0] ?? null };
}

function placeholdersOf(value: JsonObject): string[] {
  const parsed = parseTemplate(JSON.stringify(value));
  return parsed.ok ? [...new Set(parsed.template.placeholders.map(({ name }) => name))] : [];
}

/** The last earlier step that produces the value; else the first later one, which is a mistake; else an argument. */
function originOf(steps: readonly PipelineStep[], index: number, name: string): InputOrigin {
  const [root = ""] = name.split(".");
  const produces = ({ outputKey }: PipelineStep) => outputKey !== null && (outputKey === name || outputKey === root);
  const earlier = steps.slice(0, index).findLastIndex(produces);
  const step = earlier === -1 ? steps.findIndex(produces) : earlier;
  return step === -1 ? { kind: "argument", name } : { kind: "step", step, name };
}
