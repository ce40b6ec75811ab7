"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Blocks, FolderUp, Plus } from "lucide-react";
import { errorText } from "@/components/state/describe-error";
import { useEndReached } from "@/components/state/use-end-reached";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import type { SkillListData } from "@/lib/client/skills";
import { SkillCards } from "./skill-cards";
import { type SkillListProps, SkillTable } from "./skill-table";
import { SkillsSkeleton } from "./skills-skeleton";
import type { SkillView } from "./use-skill-filters";

type Props = Omit<SkillListProps, "isGrouped"> & {
  query: UseInfiniteQueryResult<SkillListData, Error>;
  view: SkillView;
  onImport: () => void;
  onCreate: () => void;
};

/** The list in its four states, the next page on its way as one scrolls. */
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
    return view.isFiltered ? <NothingFound view={view} /> : <NoSkills onImport={onImport} onCreate={onCreate} />;
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
          The list is not complete or not current. {errorText(error)}
        </Notice>
      ) : null}
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
      description="A skill is a folder with a SKILL.md that tells an agent how to do one thing, or a pack with a program to run. Import one you found or wrote: you see what it may do before anything is switched on. You can also drop a folder or a zip anywhere on this page."
      action={
        <>
          <Button variant="primary" onClick={onImport}>
            <FolderUp aria-hidden />
            Import a skill
          </Button>
          <Button onClick={onCreate}>
            <Plus aria-hidden />
            Write one
          </Button>
        </>
      }
    />
  );
}

function NothingFound({ view }: { view: SkillView }) {
  return (
    <EmptyState
      title="No skill matches"
      description={view.q ? <>Nothing fits “{view.q}” with these filters.</> : "Nothing fits these filters together."}
      action={<Button onClick={view.clear}>Clear search and filters</Button>}
    />
  );
}
