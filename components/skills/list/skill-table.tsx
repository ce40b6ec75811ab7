import Link from "next/link";
import { Fragment, memo, useMemo } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { ToolChips, ToolCount } from "@/components/skills/permission-list";
import { RunSparkline } from "@/components/skills/run-sparkline";
import { countOf, displayName, reviewHref, skillHref, sourceNames } from "@/components/skills/skill-labels";
import { SkillSwitch } from "@/components/skills/skill-switch";
import { PublisherLink, SkillStatusBadges } from "@/components/skills/status-badges";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { ClassChip } from "@/components/ui/class-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Skill } from "@/lib/skills/schema";
import { groupByCategory } from "./skill-filters";

export type RowProps = {
  skill: Skill;
  isActive: boolean;
  isSelected: boolean;
  onActivate: (id: string) => void;
  onSelect: (id: string, selected: boolean) => void;
};

const SkillRow = memo(function SkillRow({ skill, isActive, isSelected, onActivate, onSelect }: RowProps) {
  return (
    <TableRow active={isActive} selected={isSelected} onFocus={() => onActivate(skill.id)} className="h-8 max-md:h-12">
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
      <TableCell className="w-full max-w-0 pl-2">
        <span className="flex items-center gap-3">
          <span className="min-w-0 flex-1">
            <SkillName skill={skill} />
          </span>
          <ToolChips tools={skill.allowedTools} shown={1} className="shrink-0 max-2xl:hidden" />
          <ToolCount tools={skill.allowedTools} className="shrink-0 max-xl:hidden 2xl:hidden" />
        </span>
      </TableCell>
      <TableCell className="max-md:hidden">
        <ClassBadges skill={skill} />
      </TableCell>
      <TableCell muted className="max-w-40 max-lg:hidden">
        <span className="flex" title={sourceNames[skill.source]}>
          <PublisherLink publisher={skill.publisher} className="max-w-full truncate" />
        </span>
      </TableCell>
      <TableCell numeric muted className="max-2xl:hidden">
        {skill.stars > 0 ? skill.stars.toLocaleString("en-GB") : ""}
      </TableCell>
      <TableCell className="max-xl:hidden">
        <RunSparkline runs={skill.recentRuns} />
      </TableCell>
      <TableCell className="max-md:hidden">
        <span className="flex items-center gap-1.5">
          <VersionState skill={skill} />
          <SkillStatusBadges skill={skill} />
        </span>
      </TableCell>
      <TableCell numeric muted className="max-md:hidden">
        <RelativeTime value={skill.updatedAt} />
      </TableCell>
    </TableRow>
  );
});

export type SkillListProps = Pick<RowProps, "onActivate" | "onSelect"> & {
  skills: readonly Skill[];
  isGrouped: boolean;
  activeId: string | null;
  selected: ReadonlySet<string>;
  onSelectAll: (selected: boolean) => void;
};

const columns = 9;

export function SkillTable({
  skills,
  isGrouped,
  activeId,
  selected,
  onSelectAll,
  onActivate,
  onSelect,
}: SkillListProps) {
  const groups = useMemo(
    () => (isGrouped ? groupByCategory(skills) : [{ category: null, skills }]),
    [skills, isGrouped],
  );
  const isAll = skills.length > 0 && skills.every((skill) => selected.has(skill.id));
  return (
    <Table label="Skills">
      <TableHead>
        <tr>
          <TableHeader className="w-10 pr-1">
            <Checkbox
              aria-label="Select all skills shown"
              checked={isAll ? true : selected.size > 0 ? "indeterminate" : false}
              onCheckedChange={(checked) => onSelectAll(checked === true)}
            />
          </TableHeader>
          <TableHeader className="w-12 px-2">On</TableHeader>
          <TableHeader className="pl-2">
            <span className="flex justify-between gap-4">
              Skill{" "}
              <span className="max-xl:hidden" title="Tools that agents use without asking">
                Tools
              </span>
            </span>
          </TableHeader>
          <TableHeader className="max-md:hidden">Class</TableHeader>
          <TableHeader className="max-lg:hidden">Owner</TableHeader>
          <TableHeader align="right" className="max-2xl:hidden">
            Stars
          </TableHeader>
          <TableHeader className="w-24 max-xl:hidden">Last runs</TableHeader>
          <TableHeader className="max-md:hidden">Version</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Updated
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {groups.map((group) => (
          <Fragment key={group.category ?? ""}>
            {group.category === null ? null : (
              <tr className="border-b bg-muted">
                <th scope="colgroup" colSpan={columns} className="h-8 px-4 text-left font-medium text-13">
                  {group.category}{" "}
                  <span className="font-normal text-muted-foreground">{countOf(group.skills.length, "skill")}</span>
                </th>
              </tr>
            )}
            {group.skills.map((skill) => (
              <SkillRow
                key={skill.id}
                skill={skill}
                isActive={skill.id === activeId}
                isSelected={selected.has(skill.id)}
                onActivate={onActivate}
                onSelect={onSelect}
              />
            ))}
          </Fragment>
        ))}
      </TableBody>
    </Table>
  );
}

function SkillName({ skill }: { skill: Skill }) {
  return (
    <span className="flex min-w-0 items-baseline gap-x-2.5 max-md:flex-col">
      <Link
        href={skillHref(skill)}
        data-row-link={skill.id}
        className="block w-fit max-w-full shrink-0 truncate rounded-sm font-medium leading-4 hover:underline"
        title={skill.label ? `${skill.label} (${skill.name})` : skill.name}
      >
        <RevealedText text={displayName(skill)} />
      </Link>
      {/* On a phone they take the place of the description and of their columns. */}
      <span className="flex max-w-full gap-1.5 overflow-hidden md:hidden">
        <ClassBadges skill={skill} />
        <VersionState skill={skill} isLinked={false} />
        <SkillStatusBadges skill={skill} />
      </span>
      <span
        className="block min-w-0 max-w-full truncate text-muted-foreground text-xs max-md:hidden"
        title={skill.description}
      >
        <RevealedText text={skill.description} />
      </span>
    </span>
  );
}

function ClassBadges({ skill: { class: skillClass, scope, currentVersion } }: { skill: Skill }) {
  return (
    <span className="flex items-center gap-1">
      {scope === "host" ? <Badge title="Runs on a named host">Host</Badge> : null}
      <ClassChip value={skillClass} proposed={currentVersion === null} />
    </span>
  );
}

type VersionStateProps = {
  skill: Pick<Skill, "id" | "currentVersion" | "pendingVersion">;
  /** Not where a finger would miss the small link. */
  isLinked?: boolean;
};

/** The number of the approved version, what waits for review, or "Draft". */
export function VersionState({ skill: { id, currentVersion, pendingVersion }, isLinked = true }: VersionStateProps) {
  if (!currentVersion && !pendingVersion) return <Badge>Draft</Badge>;
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      {currentVersion ? (
        <span className="tabular-nums" title={`Approved version, digest ${currentVersion.digest.slice(0, 7)}`}>
          v{currentVersion.number}
        </span>
      ) : null}
      {pendingVersion && isLinked ? (
        <Link href={reviewHref(id, pendingVersion.digest)} className="rounded-sm hover:underline">
          <Pending number={currentVersion ? pendingVersion.number : null} />
        </Link>
      ) : pendingVersion ? (
        <Pending number={currentVersion ? pendingVersion.number : null} />
      ) : null}
    </span>
  );
}

function Pending({ number }: { number: number | null }) {
  return <Badge tone="warning">{number === null ? "Pending review" : `v${number} pending`}</Badge>;
}
