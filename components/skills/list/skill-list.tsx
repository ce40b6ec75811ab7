import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Blocks, FolderUp, Plus } from "lucide-react";
import Link from "next/link";
import { useMemo } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { ToolCount } from "@/components/skills/permission-list";
import { SkillIcon } from "@/components/skills/skill-icon";
import { countOf, displayName, skillHref, sourceNames } from "@/components/skills/skill-labels";
import { SkillSwitch } from "@/components/skills/skill-switch";
import { errorText } from "@/components/state/describe-error";
import { useEndReached } from "@/components/state/use-end-reached";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SkillListData } from "@/lib/client/skills";
import { GetStarted } from "./get-started";
import { groupByCategory, type SkillView } from "./skill-filters";
import { type RowProps, type SkillListProps, SkillTable, VersionState } from "./skill-table";
import { SkillsSkeleton } from "./skills-skeleton";

type Props = Omit<SkillListProps, "isGrouped"> & {
  query: UseInfiniteQueryResult<SkillListData, Error>;
  view: SkillView;
  onImport: () => void;
  onCreate: () => void;
};

export function SkillList({ query, view, onImport, onCreate, ...list }: Props) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage, error, data } = query;
  const end = useEndReached(() => void fetchNextPage(), hasNextPage && !isFetchingNextPage && !error);

  if (!data) {
    if (error) {
      return <ErrorState error={error} title="Your skills could not be loaded." onRetry={() => void query.refetch()} />;
    }
    return <SkillsSkeleton layout={view.layout} />;
  }
  if (list.skills.length === 0) {
    if (view.isFiltered) return <NoMatches view={view} />;
    return (
      <GetStarted skills={list.skills} onImport={onImport} onCreate={onCreate}>
        <NoSkills onImport={onImport} onCreate={onCreate} />
      </GetStarted>
    );
  }
  const View = view.layout === "cards" ? SkillCards : SkillTable;
  return (
    <div>
      {error ? (
        <Notice
          tone="warning"
          announce
          className="mb-3"
          action={
            <Button size="sm" onClick={() => void (hasNextPage ? fetchNextPage() : query.refetch())}>
              Try again
            </Button>
          }
        >
          The list may be incomplete or outdated. {errorText(error)}
        </Notice>
      ) : null}
      {view.isFiltered ? null : <GetStarted skills={list.skills} onImport={onImport} onCreate={onCreate} />}
      <div className={view.layout === "table" ? "-mx-4 md:mx-0" : ""}>
        <View isGrouped={view.isGrouped} {...list} />
      </div>
      <div ref={end} className="flex h-10 items-center justify-center text-13 text-muted-foreground">
        {isFetchingNextPage ? "Loading more skills" : null}
      </div>
    </div>
  );
}

function NoSkills({ onImport, onCreate }: { onImport: () => void; onCreate: () => void }) {
  return (
    <EmptyState
      icon={Blocks}
      title="No skills yet"
      description="A skill is a folder with a SKILL.md that tells an agent how to do a task, or a pack with a program to run. Import a skill to see what it may do before you switch it on. You can also drop a folder or a zip anywhere on this page."
      action={
        <>
          <Button variant="primary" onClick={onImport}>
            <FolderUp aria-hidden />
            Import a skill
          </Button>
          <Button onClick={onCreate}>
            <Plus aria-hidden />
            Create a skill
          </Button>
        </>
      }
    />
  );
}

function NoMatches({ view }: { view: SkillView }) {
  return (
    <EmptyState
      title="No matching skills"
      description={view.q ? <>No skill matches “{view.q}” with these filters.</> : "No skill matches these filters."}
      action={<Button onClick={view.clear}>Clear search and filters</Button>}
    />
  );
}

function SkillCards({ skills, isGrouped, activeId, selected, onActivate, onSelect }: SkillListProps) {
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
        <Checkbox
          aria-label={`Select ${displayName(skill)}`}
          title="Select"
          checked={isSelected}
          onCheckedChange={(checked) => onSelect(skill.id, checked === true)}
          className="relative z-10"
        />
        <SkillIcon skill={skill} size="sm" />
        <Link
          href={skillHref(skill)}
          data-row-link={skill.id}
          className="min-w-0 flex-1 truncate rounded-sm font-medium after:absolute after:inset-0 hover:underline"
          title={skill.name}
        >
          <RevealedText text={displayName(skill)} />
        </Link>
        <span className="relative z-10 flex">
          <SkillSwitch skill={skill} />
        </span>
      </div>
      <p className="line-clamp-2 min-h-10 text-13 text-muted-foreground" title={skill.description}>
        <RevealedText text={skill.description} />
      </p>
      <div className="relative z-10 flex min-h-5 flex-wrap items-center gap-1.5">
        <VersionState skill={skill} />
        <ClassChip value={skill.class} proposed={skill.currentVersion === null} />
        {skill.scope === "host" ? <Badge>Host</Badge> : null}
        {skill.deprecated ? <Badge tone="warning">Deprecated</Badge> : null}
        <ToolCount tools={skill.allowedTools} />
      </div>
      <p className="relative z-10 mt-auto text-muted-foreground text-xs">
        {sourceNames[skill.source]} · <RelativeTime value={skill.updatedAt} />
        {skill.stars > 0 ? ` · ${countOf(skill.stars, "star")}` : null}
      </p>
    </li>
  );
}
