import type { SkillManifest } from "../schema";

/** Whether running the skill means running its steps. A pack with an entry runs that, whatever else its files say. */
export function isPipeline({ kind, steps, entry }: Pick<SkillManifest, "kind" | "steps" | "entry">): boolean {
  return kind === "pipeline" && steps.length > 0 && entry === null;
}
