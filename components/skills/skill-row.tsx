import Link from "next/link";
import { memo } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { ClassChip } from "@/components/ui/class-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import type { Skill } from "@/lib/skills/schema";
import { PublisherLink } from "./marks/publisher-link";
import { RunSparkline } from "./run-sparkline";
import { SkillSwitch } from "./skill-switch";
import { displayName, skillHref, sourceNames } from "./skill-words";
import { StandingBadges } from "./standing-badges";
import { ToolChips } from "./tool-chips";
import { VersionState } from "./version-state";

export type RowProps = {
  skill: Skill;
  isActive: boolean;
  isSelected: boolean;
  onActivate: (id: string) => void;
  onSelect: (id: string, selected: boolean) => void;
};

export const SkillRow = memo(function SkillRow({ skill, isActive, isSelected, onActivate, onSelect }: RowProps) {
  return (
    <TableRow active={isActive} selected={isSelected} onFocus={() => onActivate(skill.id)} className="h-10">
      <TableCell className="w-10 pr-1">
        <Checkbox
          aria-label={`Select ${displayName(skill)}`}
          checked={isSelected}
          onCheckedChange={(checked) => onSelect(skill.id, checked === true)}
        />
      </TableCell>
      <TableCell className="w-12 px-2">
        <span className="flex">
          <SkillSwitch skill={skill} />
        </span>
      </TableCell>
      <TableCell className="w-full max-w-0 py-1 pl-2">
        <span className="flex items-center gap-4">
          <span className="min-w-0 flex-1">
            <SkillName skill={skill} />
          </span>
          <ToolChips tools={skill.allowedTools} className="max-w-3/5 justify-end max-lg:hidden" />
        </span>
      </TableCell>
      <TableCell className="max-sm:pr-4 max-sm:pl-1">
        <span className="flex items-center gap-1">
          <StandingBadges skill={skill} />
          {skill.scope === "host" ? <Badge title="Runs on a named host">host</Badge> : null}
          <ClassChip value={skill.class} />
        </span>
      </TableCell>
      <TableCell muted className="max-w-40 max-lg:hidden">
        <span className="block truncate">{sourceNames[skill.source]}</span>
        <PublisherLink publisher={skill.publisher} className="max-w-full truncate text-xs" />
      </TableCell>
      <TableCell numeric muted className="max-xl:hidden">
        {skill.stars > 0 ? skill.stars.toLocaleString("en-GB") : ""}
      </TableCell>
      <TableCell className="max-xl:hidden">
        <RunSparkline runs={skill.recentRuns} />
      </TableCell>
      <TableCell className="max-md:hidden">
        <VersionState skill={skill} />
      </TableCell>
      <TableCell numeric muted className="max-md:hidden">
        <RelativeTime value={skill.updatedAt} />
      </TableCell>
    </TableRow>
  );
});

function SkillName({ skill }: { skill: Skill }) {
  return (
    <>
      <Link
        href={skillHref(skill)}
        data-row-link={skill.id}
        className="block w-fit max-w-full truncate rounded-sm font-medium leading-4 hover:underline"
        title={skill.label ? `${skill.label} (${skill.name})` : skill.name}
      >
        <RevealedText text={displayName(skill)} />
      </Link>
      <span className="block truncate text-muted-foreground text-xs" title={skill.description}>
        {skill.pendingVersion ? <span className="text-warning md:hidden">Waits for review · </span> : null}
        <RevealedText text={skill.description} />
      </span>
    </>
  );
}
