import type { Skill } from "@/lib/skills/schema";

export const sourceNames: Record<Skill["source"], string> = {
  authored: "Written here",
  imported: "Imported",
  catalog: "Catalog",
  integration: "Integration",
  worker: "Worker",
};

export function displayName(skill: { name: string; label: string | null }): string {
  return skill.label?.trim() || skill.name;
}

export function skillHref(skill: { id: string }): string {
  return `/skills/${encodeURIComponent(skill.id)}`;
}

/** Where a skill is put to work: a run form for what takes arguments, the instructions for a playbook. */
export function actionHref(skill: { id: string; runnable: boolean }): string {
  return skill.runnable ? `${skillHref(skill)}/run` : `${skillHref(skill)}?tab=use`;
}

/** Its editor, for those who may change it. */
export function editHref(skill: { id: string }): string {
  return `${skillHref(skill)}/edit`;
}

export function reviewHref(skillId: string, digest: string): string {
  return `/reviews/${encodeURIComponent(skillId)}/${digest}`;
}

/** "3 files", "1 file". */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-GB")} ${noun}${count === 1 ? "" : "s"}`;
}
