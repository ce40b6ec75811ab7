"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { Markdown } from "@/components/markdown/markdown";
import { PipelinePlan } from "@/components/pipelines/pipeline-plan";
import { useCrumbs } from "@/components/shell/crumbs";
import { useShortcut } from "@/components/shell/use-shortcut";
import { fileHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { deferred, usePreload } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { ApiError } from "@/lib/client/api";
import { oneSkillKey, skillQuery } from "@/lib/client/skills";
import { versionsQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { Version, VersionSummary } from "@/lib/skills/versions/schema";
import { actionHref, displayName } from "../skill-labels";
import { ManifestView } from "./manifest-view";
import { OverviewRail } from "./overview-rail";
import { SkillHeader, type SkillTab, SkillTabs } from "./skill-header";
import { OverviewSkeleton, SkillPageSkeleton } from "./skill-page-skeleton";
import { useShownVersion } from "./use-shown-version";

const VersionItem = deferred(async () => (await import("@/components/skills/versions/version-item")).VersionItem);

const SkillUsage = deferred(async () => (await import("@/components/traces/skill-usage")).SkillUsage);

const OverlaySection = deferred(async () => (await import("@/components/overlays/overlay-section")).OverlaySection);

const EvaluationSection = deferred(
  async () => (await import("@/components/evaluations/evaluation-section")).EvaluationSection,
);

const AccessTab = deferred(
  async () => (await import("@/components/skills/access/access-tab")).AccessTab,
  <OverviewSkeleton />,
);

const UseView = deferred(async () => (await import("./use-view")).UseView, <OverviewSkeleton />);

const FilesTab = deferred(async () => (await import("./files-tab")).FilesTab, <OverviewSkeleton />);

export function SkillPage({ idOrName }: { idOrName: string }) {
  usePreload(Markdown);
  const query = useQuery(skillQuery(idOrName));
  useCrumbs([{ label: "My skills", href: "/skills" }, { label: query.data ? displayName(query.data) : "Skill" }]);
  useSharedById(query.data);
  if (query.data) return <Loaded skill={query.data} />;
  if (!query.error) return <SkillPageSkeleton />;
  const isAbsent = query.error instanceof ApiError && query.error.status === 404;
  return (
    <ErrorState
      isPage
      error={query.error}
      {...(isAbsent ? {} : { title: "The skill could not be loaded.", onRetry: () => void query.refetch() })}
      action={
        <Button asChild>
          <Link href="/skills">Go to my skills</Link>
        </Button>
      }
    />
  );
}

/** Caches a skill that was loaded by name under its id, which links inside the page use. */
function useSharedById(skill: Skill | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (skill) queryClient.setQueryData([...oneSkillKey, skill.id], (known: Skill | undefined) => known ?? skill);
  }, [skill, queryClient]);
}

function Loaded({ skill }: { skill: Skill }) {
  const [value] = useUrlState("tab", "overview");
  const tab = tabOf(value, skill);
  const router = useRouter();
  const name = skill.runnable ? "Run skill" : "Use skill";
  useShortcut("r", name, () => router.push(actionHref(skill)), { enabled: !skill.runnable || skill.userInvocable });
  return (
    <div className="mx-auto flex w-full max-w-[1248px] flex-1 flex-col px-4 pt-5 pb-10 md:px-6">
      <SkillHeader skill={skill} isUseTab={tab === "use"} />
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

function ImproveTab({ skill }: { skill: Skill }) {
  return (
    <div className="flex flex-col gap-8">
      <SkillUsage skillId={skill.id} />
      <EvaluationSection skill={skill} />
      <OverlaySection skill={skill} />
    </div>
  );
}

function Overview({ skill }: { skill: Skill }) {
  const query = useShownVersion(skill);
  return (
    <QueryState query={query} loading={<OverviewSkeleton />} errorTitle="The version could not be loaded.">
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
    return <EmptyState title="The playbook is empty" description="Its SKILL.md has frontmatter but no instructions." />;
  }
  return (
    <div className="flex flex-col gap-8">
      <PipelinePlan version={version} />
      {manifest.kind === "playbook" ? null : <ManifestView version={version} />}
      {hasBody ? <PlaybookView skill={skill} version={version} /> : null}
    </div>
  );
}

function PlaybookView({ skill, version }: { skill: Pick<Skill, "id">; version: Version }) {
  const { manifest, files, digest } = version;
  const hrefOf = useCallback(
    (path: string) => (files.some((file) => file.path === path) ? fileHref(skill.id, path, digest) : null),
    [files, skill.id, digest],
  );
  return (
    <div>
      {manifest.kind === "playbook" ? (
        <p className="mb-5 max-w-prose text-muted-foreground">
          <RevealedText text={manifest.description} />
          {manifest.whenToUse ? (
            <>
              {" "}
              <RevealedText text={manifest.whenToUse} />
            </>
          ) : null}
        </p>
      ) : null}
      <Markdown text={manifest.body} fileHref={hrefOf} className="max-w-[46rem]" />
    </div>
  );
}

function tabOf(value: string, skill: Skill): SkillTab {
  if (value === "use") return skill.runnable ? "overview" : "use";
  const others = ["files", "versions", "improve", "access"] as const;
  return others.find((tab) => tab === value) ?? "overview";
}

function VersionsTab({ skill }: { skill: Skill }) {
  const query = useInfiniteQuery(versionsQuery(skill.id));
  const [compared, setCompared] = useUrlState("compare");
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <QueryState query={query} errorTitle="The versions could not be loaded.">
      {({ pages }) => {
        const versions = pages.flatMap((page) => page.items);
        if (versions.length === 0)
          return <EmptyState title="No versions" description="This skill has no stored files." />;
        return (
          <>
            <h2 className="sr-only">Versions</h2>
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

/** The version to compare with: the active one, else the previous one. */
function comparisonFor(skill: Skill, version: VersionSummary, previous: VersionSummary | undefined): string | null {
  const current = skill.currentVersion?.digest;
  if (current && current !== version.digest) return current;
  return previous?.digest ?? null;
}
