import { PartNav } from "@/components/ui/pane-nav";
import type { Skill } from "@/lib/skills/schema";
import { actionHref, skillHref } from "../skill-labels";

export type SkillTab = "overview" | "files" | "use" | "versions" | "improve" | "access";

type SkillTabsProps = { skill: Pick<Skill, "id" | "runnable">; current: SkillTab | "run" };

/** The sections of a skill. The Run tab is a page of its own. */
export function SkillTabs({ skill, current }: SkillTabsProps) {
  const page = skillHref(skill);
  const tabs = [
    { key: "overview", label: "Overview", href: page },
    { key: "files", label: "Files", href: `${page}?tab=files` },
    { key: skill.runnable ? "run" : "use", label: skill.runnable ? "Run" : "Use", href: actionHref(skill) },
    { key: "versions", label: "Versions", href: `${page}?tab=versions` },
    { key: "improve", label: "Improve", href: `${page}?tab=improve` },
    { key: "access", label: "Access", href: `${page}?tab=access` },
  ];
  return <PartNav label="Skill sections" parts={tabs} current={current} />;
}
