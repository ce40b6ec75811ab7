"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { versionsQuery } from "@/lib/client/versions";
import type { Skill, VersionSummary } from "@/lib/skills/schema";
import { VersionItem } from "./version-item";

/** Every version, newest first, with what people decided about it. */
export function VersionsTab({ skill }: { skill: Skill }) {
  const query = useInfiniteQuery(versionsQuery(skill.id));
  const [compared, setCompared] = useUrlState("compare");
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <QueryState query={query} errorTitle="The versions could not be loaded.">
      {({ pages }) => {
        const versions = pages.flatMap((page) => page.items);
        if (versions.length === 0)
          return <EmptyState title="No version" description="This skill has no stored files." />;
        return (
          <>
            <ol className="flex flex-col">
              {versions.map((version, index) => (
                <VersionItem
                  key={version.digest}
                  skill={skill}
                  version={version}
                  against={comparisonFor(skill, version, versions[index + 1])}
                  isCompared={compared === version.digest}
                  onCompare={(open) => setCompared(open ? version.digest : "")}
                />
              ))}
            </ol>
            {hasNextPage ? (
              <div>
                <Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show older versions
                </Button>
              </div>
            ) : null}
          </>
        );
      }}
    </QueryState>
  );
}

/** The approved version, or for that one, and while there is none, the version before. */
function comparisonFor(skill: Skill, version: VersionSummary, previous: VersionSummary | undefined): string | null {
  const current = skill.currentVersion?.digest;
  if (current && current !== version.digest) return current;
  return previous?.digest ?? null;
}
