import Link from "next/link";
import { useMemo } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { groupByCategory } from "./group-by-category";
import { SkillIcon } from "./skill-icon";
import type { RowProps } from "./skill-row";
import { SkillSwitch } from "./skill-switch";
import type { SkillListProps } from "./skill-table";
import { countOf, displayName, skillHref, sourceNames } from "./skill-words";
import { ToolChips } from "./tool-chips";
import { VersionState } from "./version-state";

export function SkillCards({ skills, isGrouped, activeId, selected, onActivate, onSelect }: SkillListProps) {
  const groups = useMemo(
    () => (isGrouped ? groupByCategory(skills) : [{ category: null, skills }]),
    [skills, isGrouped],
  );
  return groups.map((group) => (
    <section key={group.category ?? ""} aria-label={group.category ?? "Skills"} className="mb-6">
      {group.category === null ? null : <h2 className="mb-2 text-sm">{group.category}</h2>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-3">
        {group.skills.map((skill) => (
          <SkillCard
            key={skill.id}
            skill={skill}
            isActive={skill.id === activeId}
            isSelected={selected.has(skill.id)}
            onActivate={onActivate}
            onSelect={onSelect}
          />
        ))}
      </ul>
    </section>
  ));
}

function SkillCard({ skill, isActive, isSelected, onActivate, onSelect }: RowProps) {
  return (
    <li
      onFocus={() => onActivate(skill.id)}
      className={cn(
        "relative flex flex-col gap-2 rounded-md border p-4 hover:border-input",
        isActive && "border-primary",
        isSelected && "bg-selected",
      )}
    >
      <div className="flex items-center gap-2">
        <SkillIcon skill={skill} size="sm" />
        <Link
          href={skillHref(skill)}
          data-row-link={skill.id}
          className="min-w-0 flex-1 truncate rounded-sm font-medium after:absolute after:inset-0 hover:underline"
          title={skill.name}
        >
          <RevealedText text={displayName(skill)} />
        </Link>
        <span className="relative z-10 flex items-center gap-3">
          <Checkbox
            aria-label={`Select ${displayName(skill)}`}
            checked={isSelected}
            onCheckedChange={(checked) => onSelect(skill.id, checked === true)}
          />
          <SkillSwitch skill={skill} />
        </span>
      </div>
      <p className="line-clamp-2 min-h-10 text-13 text-muted-foreground" title={skill.description}>
        <RevealedText text={skill.description} />
      </p>
      <div className="relative z-10 flex min-h-5 flex-wrap items-center gap-1.5">
        <ClassChip value={skill.class} />
        {skill.scope === "host" ? <Badge>host</Badge> : null}
        {skill.deprecated ? <Badge tone="warning">deprecated</Badge> : null}
        <ToolChips tools={skill.allowedTools} shown={2} />
      </div>
      <div className="relative z-10 mt-auto flex items-center justify-between gap-2 text-muted-foreground text-xs">
        <VersionState skill={skill} />
        <span>
          {skill.stars > 0 ? `${countOf(skill.stars, "star")} · ` : null}
          {sourceNames[skill.source]} · <RelativeTime value={skill.updatedAt} />
        </span>
      </div>
    </li>
  );
}
