"use client";

import { PipelinePlan } from "@/components/pipelines/pipeline-plan";
import { QueryState } from "@/components/state/query-state";
import { EmptyState } from "@/components/ui/empty-state";
import type { Skill, Version } from "@/lib/skills/schema";
import { ManifestView } from "./manifest-view";
import { OverviewRail } from "./overview-rail";
import { PlaybookView } from "./playbook-view";
import { OverviewShape } from "./skill-page-skeleton";
import { useShownVersion } from "./use-shown-version";

/** What the skill says, and beside it what it may do. */
export function Overview({ skill }: { skill: Skill }) {
  const query = useShownVersion(skill);
  return (
    <QueryState query={query} loading={<OverviewShape />} errorTitle="This version could not be loaded.">
      {(version) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <article className="min-w-0">
            <Content skill={skill} version={version} />
          </article>
          <OverviewRail skill={skill} version={version} />
        </div>
      )}
    </QueryState>
  );
}

function Content({ skill, version }: { skill: Skill; version: Version }) {
  const { manifest } = version;
  const hasBody = manifest.body.trim() !== "";
  if (manifest.kind === "playbook" && !hasBody) {
    return <EmptyState title="The playbook is empty" description="Its SKILL.md has a head and no instructions." />;
  }
  return (
    <div className="flex flex-col gap-8">
      <PipelinePlan version={version} />
      {manifest.kind === "playbook" ? null : <ManifestView version={version} />}
      {hasBody ? <PlaybookView skill={skill} version={version} /> : null}
    </div>
  );
}
