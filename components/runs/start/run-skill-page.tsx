"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { Skeleton } from "@/components/ui/skeleton";
import { runQuery } from "@/lib/client/runs";
import { skillQuery } from "@/lib/client/skills";
import { RunWorkspace } from "./run-workspace";

/** Loads a skill and the run whose arguments fill the form (`?from=`, else the shown run). */
export function RunSkillPage({ skillId }: { skillId: string }) {
  const [params] = useUrlParams();
  // Read once: starting a run changes the address but must keep the form.
  const [from] = useState(() => params.get("from") ?? params.get("run"));
  const skill = useQuery(skillQuery(skillId));
  const earlier = useQuery({ ...runQuery(from ?? ""), enabled: from !== null });
  const name = skill.data?.label ?? skill.data?.name;
  useCrumbs([
    { label: "My skills", href: "/skills" },
    { label: name ?? skillId, href: `/skills/${encodeURIComponent(skillId)}` },
    { label: "Run" },
  ]);
  const isWaiting = from !== null && earlier.isPending;
  return (
    <QueryState query={skill} loading={<PageSkeleton />} errorTitle="The skill could not be loaded.">
      {(loaded) =>
        isWaiting ? (
          <PageSkeleton />
        ) : (
          <RunWorkspace
            key={loaded.id}
            skill={loaded}
            from={earlier.data ?? null}
            prefillFailed={from !== null && earlier.data === undefined}
          />
        )
      }
    </QueryState>
  );
}

function PageSkeleton() {
  return (
    <Page title={<Skeleton className="h-7 w-48" />} width="full">
      <Skeleton className="mt-3 h-9" />
      <div
        role="status"
        aria-busy="true"
        className="grid gap-8 min-[900px]:grid-cols-[minmax(19rem,27rem)_minmax(0,1fr)]"
      >
        <span className="sr-only">Loading the skill</span>
        <div className="flex flex-col gap-5">
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </div>
        <Skeleton className="h-64" />
      </div>
    </Page>
  );
}
