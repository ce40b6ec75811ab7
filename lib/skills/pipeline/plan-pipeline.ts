import { findPersona } from "@/lib/auth/personas";
import { isAgent, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { type PersonaPolicy, RUN_POLICY, whyRefused } from "@/lib/policy/gate-run";
import { classOfCapabilities } from "@/lib/policy/propose-class";
import { highestClass } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/settings";
import { findTool } from "@/lib/skill-format/dialects/tools";
import { capabilityUnion, checkGraph, type GraphNode } from "@/lib/skill-format/pipeline-graph";
import { pipelineParameters, pipelineSchema } from "@/lib/skill-format/pipeline-steps";
import { type Diagnostic, isPipeline, type PipelineStep, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { findNamedSkill, type SkillRow } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import type { PipelinePlan, PipelineStepPlan } from "./schema";

const MAX_SKILLS = 300;

/** A skill of the graph. `steps`: ids of the called skills; null for names that do not resolve. */
type PipelineNode = GraphNode & {
  skill: SkillRow;
  manifest: SkillManifest;
  class: SkillClass;
  steps: (string | null)[];
};

type Start = { skill: SkillRow; manifest: SkillManifest; class: SkillClass };

type Asked = { skill: SkillRow; manifest: SkillManifest; class: SkillClass };
type Around = { maxDepth: number; above?: readonly { id: string; name: string }[] };

/**
 * Plans a pipeline for the caller: the skill that each step calls, the class and capabilities of the whole, and all
 * problems. `above`: the enclosing pipelines, outermost first.
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

/** The key of a step's result. */
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
          ? `Step ${index + 1} calls “${skill.name}”, which is a playbook and cannot be run.`
          : null,
  };
}

/** A pipeline is approved for the capabilities that it names, up to its class; all others are problems. */
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

/** Reads all that a pipeline calls or depends on, with names resolved for the caller; `invalid` above 300 skills. */
async function readGraph(ctx: Ctx, start: Start): Promise<Map<string, PipelineNode>> {
  const rows = new Map<string, Promise<SkillRow | null>>();
  const find = (name: string) => {
    const known = rows.get(name) ?? findVisible(ctx, name);
    rows.set(name, known);
    return known;
  };
  const graph = new Map<string, PipelineNode>();
  const waiting: Start[] = [start];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (graph.has(next.skill.id)) continue;
    if (graph.size >= MAX_SKILLS) {
      throw new AppError("invalid", `The pipeline uses more than ${MAX_SKILLS} skills, the limit.`);
    }
    const { manifest } = next;
    const called: (SkillRow | null)[] = [];
    const written = isPipeline(manifest) ? manifest.steps : [];
    for (const step of written) called.push(await findStepSkill(find, step));
    const depends: (SkillRow | null)[] = [];
    for (const name of manifest.depends) depends.push(await find(name));
    const used = [...called, ...depends].filter((row) => row !== null);
    const asSkills = [...called.filter((_row, index) => written[index]?.skillName !== null), ...depends];
    graph.set(next.skill.id, {
      ...next,
      name: next.skill.name,
      uses: [...new Set(used.map(({ id }) => id))],
      tools: used.filter(({ id }) => asSkills.every((row) => row?.id !== id)).map(({ id }) => id),
      steps: called.map((row) => row?.id ?? null),
      capabilities: manifest.requiredCapabilities,
    });
    waiting.push(...used.flatMap((skill) => startOf(skill) ?? []));
  }
  return graph;
}

function classInGraph(graph: ReadonlyMap<string, PipelineNode>, id: string): SkillClass {
  const seen = new Set<string>();
  const waiting = [id];
  let found: SkillClass = "safe";
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const node = graph.get(next);
    if (node === undefined || seen.has(next)) continue;
    seen.add(next);
    found = highestClass(found, node.class);
    waiting.push(...node.steps.filter((step) => step !== null));
  }
  return found;
}

function startOf(skill: SkillRow): Start | null {
  const version = skill.current ?? skill.pending;
  if (version === null) return null;
  const manifest = keepParsed(SkillManifest, version.manifest);
  return { skill, manifest, class: SkillClass.parse(version.class ?? skill.class) };
}

type Find<T> = (name: string) => Promise<T | null>;

/** The skill with the name or tool name of a step, else the one of the alias table; null when there is none. */
export async function findStepSkill<T>(
  find: Find<T>,
  { toolName, skillName }: Pick<PipelineStep, "toolName" | "skillName">,
): Promise<T | null> {
  const found = await find(skillName ?? toolName ?? "");
  if (found !== null || toolName === null) return found;
  const alias = findTool(toolName)?.id;
  return alias === undefined || alias === toolName ? null : find(alias);
}

/** The skill that a name resolves to for the caller; null without one. */
export async function findVisible(ctx: Ctx, name: string): Promise<SkillRow | null> {
  try {
    return await findNamedSkill(ctx, name);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

/** Plans a version of a pipeline for the caller; `not_found` for a version without steps. */
export async function getPipeline(ctx: Ctx, idOrName: string, digest: string): Promise<PipelinePlan> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const manifest = keepParsed(SkillManifest, version.manifest);
  if (!isPipeline(manifest)) throw new AppError("not_found", `“${skill.name}” is not a pipeline: it has no steps.`);
  const { pipelineMaxDepth: maxDepth } = await getSettings(ctx);
  // An undecided version is planned with the class that its declaration needs.
  const needed = highestClass(manifest.declaredClass, classOfCapabilities(manifest.requiredCapabilities));
  const ofVersion = SkillClass.nullable().parse(version.class) ?? needed;
  return planPipeline(ctx, { skill, manifest, class: ofVersion }, { maxDepth });
}

/** Plans the active version of a pipeline, else the pending one; null for other and for too large skills. */
export async function planStoredPipeline(ctx: Ctx, skill: SkillRow): Promise<PipelinePlan | null> {
  const version = skill.current ?? skill.pending;
  if (version === null || !skill.runnable || !version.manifest.includes('"pipeline"')) return null;
  const manifest = keepParsed(SkillManifest, version.manifest);
  if (!isPipeline(manifest)) return null;
  const { pipelineMaxDepth: maxDepth } = await getSettings(ctx);
  try {
    return await planPipeline(ctx, { skill, manifest, class: SkillClass.parse(skill.class) }, { maxDepth });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

type Named = Pick<SkillManifest, "name" | "slug" | "toolName">;

/** Warns of each step whose name does not resolve for the caller. `beside`: skills of the same import. */
export async function warnMissingSteps(
  ctx: Ctx,
  manifest: SkillManifest,
  beside: readonly Named[],
): Promise<Diagnostic[]> {
  if (!isPipeline(manifest)) return [];
  const notes: Diagnostic[] = [];
  const find = async (name: string): Promise<true | null> => {
    if (beside.some((one) => [one.name, one.slug, one.toolName].includes(name))) return true;
    return (await findVisible(ctx, name)) === null ? null : true;
  };
  for (const [index, step] of manifest.steps.entries()) {
    if ((await findStepSkill(find, step)) !== null) continue;
    const calls = step.skillName === null ? "tool" : "skill";
    const message = `Step ${index + 1} calls the ${calls} “${step.skillName ?? step.toolName ?? ""}”; there is none of that name that you can see. Agents are not offered the pipeline until there is one.`;
    notes.push({ code: "step_unknown", severity: "warning", message });
  }
  return notes;
}

/**
 * Ids of the pipelines among `where` that the persona's mode refuses because of a step's class: the class of a pipeline
 * is the highest of its steps, which its own column does not contain. Sends no query without a persona, or for a mode
 * that refuses no class.
 */
export async function refusedPipelines(
  ctx: Ctx,
  persona: PersonaPolicy | null,
  where: Prisma.SkillWhereInput,
): Promise<ReadonlySet<string>> {
  if (persona === null || !Object.values(RUN_POLICY[persona.permissionMode]).includes("refuse")) return new Set();
  const rows = await ctx.db.skill.findMany({
    where: { AND: [where, { deletedAt: null, runnable: true, current: { manifest: { contains: '"pipeline"' } } }] },
    include: { current: true, pending: true },
  });
  const refused = new Set<string>();
  for (const row of rows) if ((await whyStepsRefused(ctx, persona, row)) !== null) refused.add(row.id);
  return refused;
}

/** Throws `forbidden` with the rule when the mode of an agent's persona refuses a step's class. */
export async function assertStepsAllowed(ctx: Ctx, skill: SkillRow): Promise<void> {
  if (!isPerson(ctx.actor) || !isAgent(ctx.actor)) return;
  const refused = await whyStepsRefused(ctx, await findPersona(ctx, ctx.actor), skill);
  if (refused !== null) throw new AppError("forbidden", refused.reason, { rule: refused.rule });
}

async function whyStepsRefused(ctx: Ctx, persona: PersonaPolicy | null | "missing", skill: SkillRow) {
  // Without an active version only the lists of the persona apply, as in `servedClass`.
  const plan = skill.currentId === null ? null : await planStoredPipeline(ctx, skill);
  return plan && whyRefused(persona, { ...skill, class: plan.class });
}
