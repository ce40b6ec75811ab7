import type { Ctx } from "@/lib/db/context";
import { classOfCapabilities } from "@/lib/policy/class-vocabulary";
import { highestClass } from "@/lib/policy/signatures-needed";
import type { PipelineStep } from "@/lib/skill-format/manifest-parts";
import { capabilityUnion, checkGraph, type GraphNode } from "@/lib/skill-format/pipeline/check-graph";
import { pipelineParameters, pipelineSchema } from "@/lib/skill-format/pipeline/pipeline-parameters";
import type { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import type { SkillRow } from "../skill-access";
import { classInGraph, type PipelineNode, readGraph } from "./read-graph";
import type { PipelinePlan, PipelineStepPlan } from "./schema";

type Asked = { skill: SkillRow; manifest: SkillManifest; class: SkillClass };
type Around = { maxDepth: number; above?: readonly { id: string; name: string }[] };

/**
 * What a pipeline would do for the caller now: what each step calls, the class and capabilities of all together, and every
 * reason against it. `above` are the pipelines it would run under, the outermost first.
 */
export async function planPipeline(ctx: Ctx, asked: Asked, { maxDepth, above = [] }: Around): Promise<PipelinePlan> {
  const { skill, manifest } = asked;
  const graph = await readGraph(ctx, asked);
  const named = above.map(({ id, name }): [string, GraphNode] => [id, { name, uses: [], tools: [], capabilities: [] }]);
  const around = { maxDepth, above: above.map(({ id }) => id) };
  const chain = checkGraph(new Map<string, GraphNode>([...named, ...graph]), skill.id, around);
  const called = graph.get(skill.id)?.steps ?? [];
  const steps = manifest.steps.map((step, index) => planStep(step, index, graph, called[index] ?? null));
  const { diagnostics } = pipelineParameters(manifest.steps);
  return {
    class: classInGraph(graph, skill.id),
    schema: pipelineSchema(
      manifest.steps,
      called.map((id) => graph.get(id ?? "")?.manifest.schema ?? null),
    ),
    steps,
    capabilities: capabilityUnion(graph, skill.id),
    problems: [
      ...diagnostics.map(({ code, message }) => ({ code, message })),
      ...(chain === null ? [] : [{ code: chain.code, message: chain.message }]),
      ...findUngranted(asked, steps),
    ],
  };
}

/** The name that a step's result is kept under. */
export function stepKey({ outputKey }: Pick<PipelineStep, "outputKey">, index: number): string {
  return outputKey ?? `step-${index + 1}`;
}

function planStep(
  step: PipelineStep,
  index: number,
  graph: ReadonlyMap<string, PipelineNode>,
  id: string | null,
): PipelineStepPlan {
  const name = step.skillName ?? step.toolName ?? "";
  const calls = step.skillName === null ? "tool" : "skill";
  const place = { index, key: stepKey(step, index), name, calls } as const;
  const node = id === null ? undefined : graph.get(id);
  if (node === undefined) {
    const problem = `Step ${index + 1} calls “${name}”; there is no ${calls} of that name that you can see.`;
    return { ...place, skill: null, capabilities: [], problem };
  }
  const { skill, steps } = node;
  const isServed = skill.current?.state === "approved" && skill.listed;
  return {
    ...place,
    skill: {
      ...{ id: skill.id, name: skill.name, label: skill.label, pipeline: steps.length > 0 },
      class: classInGraph(graph, skill.id),
    },
    capabilities: capabilityUnion(graph, skill.id),
    problem: !isServed
      ? `Step ${index + 1} calls “${skill.name}”, which has no approved version.`
      : !skill.enabled
        ? `Step ${index + 1} calls “${skill.name}”, which is switched off.`
        : !skill.runnable
          ? `Step ${index + 1} calls “${skill.name}”, which is a playbook: there is nothing to run.`
          : null,
  };
}

/** What was approved with a pipeline are the capabilities that it names itself, up to the class it was approved as. */
function findUngranted({ skill, manifest, class: approved }: Asked, steps: PipelineStepPlan[]) {
  const isGranted = (name: string) =>
    manifest.requiredCapabilities.includes(name) && highestClass(approved, classOfCapabilities([name])) === approved;
  const own = { who: `“${skill.name}”`, names: manifest.requiredCapabilities };
  const called = steps.map(({ index, name, capabilities }) => ({
    ...{ who: `Step ${index + 1} (${name})`, names: capabilities },
  }));
  return [own, ...called].flatMap(({ who, names }) => {
    const missing = names.filter((name) => !isGranted(name));
    if (missing.length === 0) return [];
    const message = `Blocked: ${who} requires ${missing.join(", ")}, which “${skill.name}” was not approved for.`;
    return [{ code: "capability_missing", message }];
  });
}
