import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { pipelineFlow } from "@/lib/skill-format/pipeline-flow";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { loadVersion } from "@/lib/skills/skill-access";
import { requireRun } from "../runs/load-runs";
import { PIPELINE_SCOPE, RunState } from "../schema";
import { loadSteps } from "./load-pipeline";
import type { PipelineSteps } from "./schema";

/** The steps of a pipeline run, each with its own run once it was started; empty for other runs. `not_found` as in `getRun`. */
export async function listSteps(ctx: Ctx, id: string): Promise<PipelineSteps> {
  const run = await requireRun(ctx, id);
  const version = run.scope === PIPELINE_SCOPE ? await loadVersion(ctx, run.versionId) : null;
  if (version === null) return { steps: [] };
  const children = await loadSteps(ctx, id);
  const { steps } = keepParsed(SkillManifest, version.manifest);
  const flow = pipelineFlow(steps);
  return {
    steps: steps.map((step, index) => {
      const child = children.find(({ stepIndex }) => stepIndex === index);
      const { key = "", inputs = [], usedBy = [] } = flow[index] ?? {};
      return {
        index,
        key,
        inputs,
        usedBy,
        name: step.skillName ?? step.toolName ?? "",
        calls: step.skillName === null ? "tool" : "skill",
        run: child
          ? {
              id: child.id,
              state: RunState.parse(child.state),
              class: SkillClass.parse(child.class),
              skill: { id: child.skillId, name: child.skill.name, label: child.skill.label },
              pipeline: child.scope === PIPELINE_SCOPE,
              durationMs: child.durationMs,
              error: child.errorMessage,
            }
          : null,
      };
    }),
  };
}
