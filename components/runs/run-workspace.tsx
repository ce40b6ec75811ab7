"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useReducer, useRef } from "react";
import { Page } from "@/components/shell/page";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import type { Run } from "@/lib/client/runs";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { changeDraft, startDraft } from "./args-draft";
import { RunForm } from "./run-form";
import { RunHistory } from "./run-history";
import { findRunObstacle } from "./run-obstacle";
import { describeTerms, termsOf } from "./run-terms";
import { RunView } from "./run-view";
import { startWords } from "./start-words";

type RunWorkspaceProps = { skill: Skill; initialArgs: Record<string, unknown>; prefillFailed: boolean };

/** Form at the left, the run at the right, history below. */
export function RunWorkspace({ skill, initialArgs, prefillFailed }: RunWorkspaceProps) {
  const [params, setParams] = useUrlParams();
  const [draft, dispatch] = useReducer(changeDraft, initialArgs, startDraft);
  const { toast } = useToast();
  const me = useMe();
  const runId = params.get("run");
  const runArea = useRef<HTMLDivElement>(null);
  const obstacle = findRunObstacle(skill, me);

  const showRun = (run: Run) => {
    setParams({ run: run.id, from: null }, { push: true });
    // Below the form on a phone, and above the view when a long form is scrolled.
    requestAnimationFrame(() => {
      const top = runArea.current?.getBoundingClientRect().top ?? 0;
      if (top < 0 || top > window.innerHeight / 2) runArea.current?.scrollIntoView({ block: "start" });
    });
  };

  const takeArgs = (run: Run) => {
    const before = draft.value;
    dispatch({ type: "replace", value: run.args });
    window.scrollTo({ top: 0 });
    toast({
      title: "The form holds that run’s arguments.",
      undo: () => dispatch({ type: "replace", value: before }),
    });
  };

  return (
    <Page
      width="full"
      title={skill.label ?? skill.name}
      aside={
        <>
          <ClassChip value={skill.class} />
          {skill.currentVersion ? <Digest value={skill.currentVersion.digest} label="version digest" /> : null}
        </>
      }
      description={skill.description}
      actions={
        <Button asChild>
          <Link href={`/skills/${encodeURIComponent(skill.name)}`}>View skill</Link>
        </Button>
      }
    >
      {obstacle ? (
        <Notice
          tone={obstacle.tone}
          title={obstacle.title}
          action={obstacle.link ? <ObstacleLink {...obstacle.link} /> : null}
        >
          {obstacle.text}
        </Notice>
      ) : null}
      {prefillFailed ? (
        <Notice tone="warning">The earlier run could not be loaded; the form starts empty.</Notice>
      ) : null}
      {skill.runnable ? (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(20rem,27rem)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-4">
            <StartLine skill={skill} />
            <Terms skill={skill} />
            <RunForm
              skill={skill}
              draft={draft}
              dispatch={dispatch}
              blocked={obstacle?.title ?? null}
              onStarted={showRun}
            />
          </div>
          <div ref={runArea} className="min-w-0">
            {runId ? <RunView key={runId} runId={runId} linked /> : <NoRunYet skill={skill} />}
          </div>
        </div>
      ) : null}
      {skill.runnable ? <RunHistory skillId={skill.id} current={runId} onUseArgs={takeArgs} /> : null}
    </Page>
  );
}

/** What a click on Run leads to; known before the version is. */
function StartLine({ skill }: { skill: Skill }) {
  return <p className="-mb-3 min-h-5 font-medium text-13">{startWords(useMe(), skill.class)}</p>;
}

function Terms({ skill }: { skill: Skill }) {
  const digest = skill.currentVersion?.digest ?? "";
  const version = useQuery({ ...versionQuery(skill.id, digest), enabled: digest !== "" });
  const isolation = useMe()?.isolation;
  // The line keeps its place while the version is on its way.
  if (version.isPending && digest !== "") return <p className="min-h-10" />;
  return (
    <p className="min-h-10 text-13 text-muted-foreground">{describeTerms(termsOf(skill, version.data), isolation)}</p>
  );
}

function NoRunYet({ skill }: { skill: Skill }) {
  return (
    <EmptyState
      title="Nothing has run yet on this page"
      description={
        skill.resultPreview ? `You get: ${skill.resultPreview}` : "The state, the log and the result appear here."
      }
      className="min-h-64 max-w-none justify-center rounded-md border border-dashed"
    />
  );
}

function ObstacleLink({ href, label }: { href: string; label: string }) {
  return (
    <Button size="sm" asChild>
      <Link href={href}>{label}</Link>
    </Button>
  );
}
