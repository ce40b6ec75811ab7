import Link from "next/link";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import type { Skill } from "@/lib/skills/schema";
import { actionHref, skillHref } from "../skill-words";

export type SkillTab = "overview" | "files" | "use" | "versions" | "improve" | "access";

export function tabOf(value: string, skill: Skill): SkillTab {
  if (value === "use") return skill.runnable ? "overview" : "use";
  const others = ["files", "versions", "improve", "access"] as const;
  return others.find((tab) => tab === value) ?? "overview";
}

type SkillTabsProps = { skill: Skill; current: SkillTab | "run" };

/** The parts of a skill's page, each with an address of its own. */
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
  return (
    <nav aria-label="Parts of the skill" className={`${tabListStyles} mt-3`}>
      {tabs.map(({ key, label, href }) => (
        <Link
          key={key}
          href={href}
          scroll={false}
          aria-current={key === current ? "page" : undefined}
          data-active={key === current}
          className={tabStyles}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
