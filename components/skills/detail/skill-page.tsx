"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { ApiError } from "@/lib/client/api";
import { oneSkillKey, skillQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { displayName } from "../skill-words";
import { AccessTab } from "./access-tab";
import { FilesTab } from "./files-tab";
import { ImproveTab } from "./improve-tab";
import { Overview } from "./overview";
import { SkillHeader } from "./skill-header";
import { SkillPageSkeleton } from "./skill-page-skeleton";
import { SkillTabs, tabOf } from "./skill-tabs";
import { UseView } from "./use-view";
import { VersionsTab } from "./versions-tab";

/** One skill, by id or name. */
export function SkillPage({ idOrName }: { idOrName: string }) {
  const query = useQuery(skillQuery(idOrName));
  useCrumbs([{ label: "My skills", href: "/skills" }, { label: query.data ? displayName(query.data) : "Skill" }]);
  useSharedById(query.data);
  if (query.data) return <Loaded skill={query.data} />;
  if (!query.error) return <SkillPageSkeleton />;
  const isAbsent = query.error instanceof ApiError && query.error.status === 404;
  return (
    <ErrorState
      error={query.error}
      {...(isAbsent ? {} : { title: "This skill could not be loaded.", onRetry: () => void query.refetch() })}
      action={
        <Button asChild>
          <Link href="/skills">Go to my skills</Link>
        </Button>
      }
    />
  );
}

/** Links inside the page go by id; after coming by name, they find it there. */
function useSharedById(skill: Skill | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (skill) queryClient.setQueryData([...oneSkillKey, skill.id], (known: Skill | undefined) => known ?? skill);
  }, [skill, queryClient]);
}

function Loaded({ skill }: { skill: Skill }) {
  const [value] = useUrlState("tab", "overview");
  const tab = tabOf(value, skill);
  return (
    <div className="mx-auto flex w-full max-w-[1248px] flex-1 flex-col px-4 pt-5 pb-10 md:px-6">
      <SkillHeader skill={skill} />
      <SkillTabs skill={skill} current={tab} />
      <div className="flex flex-1 flex-col pt-5">
        {tab === "overview" ? <Overview skill={skill} /> : null}
        {tab === "files" ? <FilesTab skill={skill} /> : null}
        {tab === "use" ? <UseView skill={skill} /> : null}
        {tab === "versions" ? <VersionsTab skill={skill} /> : null}
        {tab === "improve" ? <ImproveTab skill={skill} /> : null}
        {tab === "access" ? <AccessTab skill={skill} /> : null}
      </div>
    </div>
  );
}
