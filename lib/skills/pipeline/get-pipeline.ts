import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { classOfCapabilities } from "@/lib/policy/class-vocabulary";
import { highestClass } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/settings";
import { isPipeline, SkillClass, SkillManifest } from "@/lib/skill-format/schema";

import type { SkillRow } from "../skill-access";
import { requireVersion } from "../version-access";
import { planPipeline } from "./plan-pipeline";
import type { PipelinePlan } from "./schema";

/** What a version of a pipeline would do for the caller now; `not_found` for a version that is no pipeline. */
export async function getPipeline(ctx: Ctx, idOrName: string, digest: string): Promise<PipelinePlan> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const manifest = keepParsed(SkillManifest, version.manifest);
  if (!isPipeline(manifest)) throw new AppError("not_found", `“${skill.name}” is no pipeline: it has no steps.`);
  const { pipelineMaxDepth: maxDepth } = await getSettings(ctx);
  // A version that nobody has decided on yet is looked at as what it declares would need.
  const needed = highestClass(manifest.declaredClass, classOfCapabilities(manifest.requiredCapabilities));
  const ofVersion = SkillClass.nullable().parse(version.class) ?? needed;
  return planPipeline(ctx, { skill, manifest, class: ofVersion }, { maxDepth });
}

/** The same of what a skill serves, or would; null for what is no pipeline, and for one that is too large to look at. */
export async function planOf(ctx: Ctx, skill: SkillRow): Promise<PipelinePlan | null> {
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
