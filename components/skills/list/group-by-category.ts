import type { Skill } from "@/lib/skills/schema";

export type SkillGroup = { category: string; skills: Skill[] };

/** Categories by name, each with its skills in the order they came. */
export function groupByCategory(skills: readonly Skill[]): SkillGroup[] {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) groups.set(skill.category, [...(groups.get(skill.category) ?? []), skill]);
  return [...groups]
    .map(([category, members]) => ({ category, skills: members }))
    .sort((a, b) => a.category.localeCompare(b.category, "en"));
}
