import type { Me } from "@/lib/auth/schema";
import { withQuery } from "@/lib/client/api";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { ReportReason, ReportResolution } from "@/lib/skills/community/schema";
import type { Skill } from "@/lib/skills/schema";

export const sourceNames: Record<Skill["source"], string> = {
  authored: "Written here",
  imported: "Imported",
  catalog: "Catalog",
  integration: "Integration",
  worker: "Worker",
};

export const kindLabels: Record<SkillManifest["kind"], string> = {
  playbook: "Playbook",
  pack: "Pack",
  pipeline: "Pipeline",
};

export const lifecycleLabels: Record<Skill["lifecycle"], string> = {
  active: "Active",
  stale: "Stale",
  archived: "Archived",
};

/** Turns a key without a label into text: `repositoryId` becomes "Repository id". */
export function sentenceCase(key: string): string {
  const text = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function displayName(skill: { name: string; label: string | null }): string {
  return skill.label?.trim() || skill.name;
}

export function skillHref(skill: { id: string }): string {
  return `/skills/${encodeURIComponent(skill.id)}`;
}

/** The run form of a runnable skill, else the instructions of the playbook. */
export function actionHref(skill: { id: string; runnable: boolean }): string {
  return skill.runnable ? `${skillHref(skill)}/run` : `${skillHref(skill)}?tab=use`;
}

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

/** Whether the user may change a skill: owner and admins, for organisation skills also reviewers. The server checks again. */
export function canManage(skill: Pick<Skill, "owner">, me: Me | undefined): boolean {
  if (!me) return false;
  if (me.user.role === "admin") return true;
  if (skill.owner.kind === "org") return me.user.role !== "user";
  return skill.owner.id === me.user.id;
}

export function firstFile<F extends { path: string }>(files: readonly F[]): F | undefined {
  return files.find(({ path }) => path === "SKILL.md") ?? files.find(({ path }) => path === "skill.json") ?? files[0];
}

export function fileHref(skillId: string, path: string, digest?: string, line?: number): string {
  const page = withQuery(skillHref({ id: skillId }), { tab: "files", path, v: digest });
  return line === undefined ? page : `${page}#L${line}`;
}

export const reportReasonLabels: Record<ReportReason, string> = {
  malicious: "Malicious",
  impersonation: "Impersonates another publisher",
  broken: "Does not work",
  licence: "Violates a licence or copyright",
  other: "Something else",
};

export const reportResolutionLabels: Record<ReportResolution, string> = {
  no_action: "No action needed",
  deprecated: "Skill deprecated",
  revoked: "Approval revoked",
  removed: "Skill deleted or blocked",
};
