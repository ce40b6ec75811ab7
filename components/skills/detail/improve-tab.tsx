import { EvaluationSection } from "@/components/evaluations/evaluation-section";
import { OverlaySection } from "@/components/overlays/overlay-section";
import { SkillUsage } from "@/components/traces/skill-usage";
import type { Skill } from "@/lib/skills/schema";

/** How well the skill serves, and what would make it serve better. */
export function ImproveTab({ skill }: { skill: Skill }) {
  return (
    <div className="flex flex-col gap-8">
      <SkillUsage skillId={skill.id} />
      <EvaluationSection skill={skill} />
      <OverlaySection skill={skill} />
    </div>
  );
}
