import type { Me } from "@/lib/client/me";
import type { Skill } from "@/lib/skills/schema";

export type RunObstacle = {
  tone: "neutral" | "warning";
  title: string;
  text: string;
  link: { href: string; label: string } | null;
};

/** Why a skill cannot be run now, and what leads on; null when it can. */
export function findRunObstacle(skill: Skill, me: Me | undefined): RunObstacle | null {
  const page = `/skills/${encodeURIComponent(skill.name)}`;
  if (!skill.runnable && skill.schema === null) {
    return {
      tone: "neutral",
      title: "This skill is a playbook",
      text: "Agents follow its instructions; there is nothing to run here.",
      link: { href: `${page}?tab=use`, label: "Read the playbook" },
    };
  }
  if (!skill.userInvocable) {
    return {
      tone: "neutral",
      title: "People do not run this skill",
      text: "Its author wrote user-invocable: false. Agents run it, and pipelines that have it as a step.",
      link: null,
    };
  }
  if (!skill.currentVersion) {
    const { pendingVersion } = skill;
    return {
      tone: "warning",
      title: "No version is approved yet",
      text: "Nothing runs until a person has approved these exact bytes.",
      link: pendingVersion
        ? { href: `/reviews/${skill.id}/${pendingVersion.digest}`, label: "Open review" }
        : { href: page, label: "View skill" },
    };
  }
  if (!skill.enabled) {
    return {
      tone: "warning",
      title: "The skill is switched off",
      text: "Switch it on first; its approved version is ready.",
      link: { href: page, label: "View skill" },
    };
  }
  if (skill.scope === "host" && skill.offered === false) {
    return {
      tone: "warning",
      title: "No worker offers this skill any longer",
      text: "Its approved version is kept. It can be run again when a worker has it.",
      link: { href: page, label: "View skill" },
    };
  }
  const right = me?.rights?.runs[skill.class];
  if (right?.outcome === "refuse") {
    return { tone: "warning", title: "You may not run this skill", text: right.reason, link: null };
  }
  return null;
}
