import type { Ctx } from "@/lib/db/context";
import { type Diagnostic, isPipeline, type SkillManifest } from "@/lib/skill-format/schema";
import { findCalled, findVisible } from "./plan-pipeline";

type Named = Pick<SkillManifest, "name" | "slug" | "toolName">;

/**
 * A warning for each step of a pipeline whose name means nothing to the caller now. `beside` are skills that come in with it.
 * Empty for what is no pipeline.
 */
export async function noteMissingSteps(
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
    if ((await findCalled(find, step)) !== null) continue;
    const calls = step.skillName === null ? "tool" : "skill";
    const message = `Step ${index + 1} calls the ${calls} “${step.skillName ?? step.toolName ?? ""}”; there is none of that name that you can see. Agents are not offered the pipeline until there is one.`;
    notes.push({ code: "step_unknown", severity: "warning", message });
  }
  return notes;
}
