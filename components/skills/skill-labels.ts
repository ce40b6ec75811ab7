import type { Me } from "@/lib/auth/schema";
import { withQuery } from "@/lib/client/api";
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

/** Whether this person may change a skill: its owner and admins; the organisation's also reviewers. The server decides. */
export function canManage(skill: Pick<Skill, "owner">, me: Me | undefined): boolean {
  if (!me) return false;
  if (me.user.role === "admin") return true;
  if (skill.owner.kind === "org") return me.user.role !== "user";
  return skill.owner.id === me.user.id;
}

/** The file that says what a skill is: its playbook, else its manifest. */
export function firstFile<F extends { path: string }>(files: readonly F[]): F | undefined {
  return files.find(({ path }) => path === "SKILL.md") ?? files.find(({ path }) => path === "skill.json") ?? files[0];
}

/** The page of one file of a version, at a line when one is named. */
export function fileHref(skillId: string, path: string, digest?: string, line?: number): string {
  const page = withQuery(skillHref({ id: skillId }), { tab: "files", path, v: digest });
  return line === undefined ? page : `${page}#L${line}`;
}
