"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useCrumbs } from "@/components/shell/crumbs";
import { displayName } from "@/components/skills/skill-labels";
import { Button } from "@/components/ui/button";
import { usePreload } from "@/components/ui/deferred/deferred";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { skillQuery } from "@/lib/client/skills";
import { versionQuery } from "@/lib/client/versions";
import { DecisionPanel, Workspace } from "./workspace";

const SCAN_POLL_MS = 1500;

type ReviewPageProps = { skillId: string; digest: string };

export function ReviewPage({ skillId, digest }: ReviewPageProps) {
  usePreload(DecisionPanel);
  const skill = useQuery(skillQuery(skillId));
  const version = useQuery({
    ...versionQuery(skillId, digest),
    refetchInterval: ({ state }) => (state.data?.scan.state === "pending" ? SCAN_POLL_MS : false),
  });
  const name = skill.data ? displayName(skill.data) : "Version";
  useCrumbs([
    { label: "Reviews", href: "/reviews" },
    { label: version.data ? `${name}, version ${version.data.number}` : name },
  ]);

  if (skill.data && version.data) return <Workspace key={digest} skill={skill.data} version={version.data} />;
  const error = skill.error ?? version.error;
  if (!error) return <WorkspaceSkeleton />;
  const retry = () => void Promise.all([skill.refetch(), version.refetch()]);
  return (
    <ErrorState
      isPage
      error={error}
      title="The version could not be loaded."
      onRetry={retry}
      action={
        <Button asChild>
          <Link href="/reviews">Go to reviews</Link>
        </Button>
      }
    />
  );
}

function WorkspaceSkeleton() {
  return (
    <div
      role="status"
      aria-busy="true"
      className="grid flex-1 xl:grid-cols-[16.5rem_minmax(0,1fr)_23.5rem] 2xl:grid-cols-[19rem_minmax(0,1fr)_24rem]"
    >
      <span className="sr-only">Loading the version</span>
      <Lines className="border-r max-xl:hidden" widths={["w-2/3", "w-1/2", "w-3/5"]} />
      <Lines widths={["w-1/3", "w-4/5", "w-3/4", "w-2/3", "w-5/6", "w-1/2"]} />
      <Lines className="border-l max-xl:hidden" widths={["w-1/2", "w-full", "w-4/5", "w-11/12"]} />
    </div>
  );
}

function Lines({ widths, className = "" }: { widths: string[]; className?: string }) {
  return (
    <div className={`flex flex-col gap-3 p-5 ${className}`}>
      {widths.map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
