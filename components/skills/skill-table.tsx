import { Fragment, useMemo } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Table, TableBody, TableHead, TableHeader } from "@/components/ui/table";
import type { Skill } from "@/lib/skills/schema";
import { groupByCategory } from "./group-by-category";
import { type RowProps, SkillRow } from "./skill-row";
import { countOf } from "./skill-words";

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
              Skill <span className="max-lg:hidden">Runs without asking</span>
            </span>
          </TableHeader>
          <TableHeader className="max-sm:pl-1">Class</TableHeader>
          <TableHeader className="max-lg:hidden">Source</TableHeader>
          <TableHeader align="right" className="max-xl:hidden">
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
