import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { highestClass } from "@/lib/policy/signatures-needed";
import type { GraphNode } from "@/lib/skill-format/pipeline/check-graph";
import { isPipeline } from "@/lib/skill-format/pipeline/is-pipeline";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import type { SkillRow } from "../skill-access";
import { findCalled, findVisible } from "./find-called";

const MAX_SKILLS = 300;

/** A skill of the graph. `steps` are the ids of what its steps call, null where a name means nothing. */
export type PipelineNode = GraphNode & {
  skill: SkillRow;
  manifest: SkillManifest;
  class: SkillClass;
  steps: (string | null)[];
};

type Start = { skill: SkillRow; manifest: SkillManifest; class: SkillClass };

/**
 * A pipeline and everything below it, by the names as they mean it to the caller: what steps call, and what skills say they
 * depend on. A tool is the skill with that tool name (built-ins are such skills), else the one that the table of aliases
 * names. `invalid` when it is more than 300 skills.
 */
export async function readGraph(ctx: Ctx, start: Start): Promise<Map<string, PipelineNode>> {
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
    if (graph.size >= MAX_SKILLS) throw new AppError("invalid", `It uses more than ${MAX_SKILLS} skills.`);
    const { manifest } = next;
    const called: (SkillRow | null)[] = [];
    const written = isPipeline(manifest) ? manifest.steps : [];
    for (const step of written) called.push(await findCalled(find, step));
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

/** The class a run of it has as a whole: the highest of its own and of everything its steps call. */
export function classInGraph(graph: ReadonlyMap<string, PipelineNode>, id: string): SkillClass {
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
