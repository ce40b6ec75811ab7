"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { explainRun } from "@/components/runs/detail/explain-run";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { formatDuration } from "@/components/ui/format-time";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { runStepsQuery } from "@/lib/client/pipelines";
import { hasEnded } from "@/lib/client/runs";
import type { PipelineSteps } from "@/lib/runner/pipelines/schema";
import type { Run } from "@/lib/runner/schema";
import { type GraphStep, PipelineGraph } from "./pipeline-graph";

type RunStepsProps = {
  run: Run;
  /** Number of log lines so far. Each start and end of a step adds one, so the steps are reloaded. */
  eventCount: number;
};

/** The steps of a pipeline run with live states; each links to its own run. */
export function RunSteps({ run, eventCount }: RunStepsProps) {
  const query = useQuery(runStepsQuery(run.id, hasEnded(run.state)));
  const { refetch } = query;
  const lastEventCount = useRef(eventCount);
  useEffect(() => {
    if (lastEventCount.current === eventCount) return;
    lastEventCount.current = eventCount;
    void refetch();
  }, [eventCount, refetch]);
  const waitsFor = run.pipeline?.waitsFor ?? null;
  return (
    <Section title="Steps" className="gap-2">
      {waitsFor && run.state === "running" ? (
        <Notice tone="warning" title={`Step ${waitsFor.step} needs approval`}>
          <Link href={`/runs/${waitsFor.runId}`} className="underline underline-offset-2">
            Open the run of step {waitsFor.step}
          </Link>
        </Notice>
      ) : null}
      <QueryState query={query} loading={<GraphSkeleton />} errorTitle="The steps could not be loaded.">
        {({ steps }) => <PipelineGraph label="Steps of the pipeline" steps={steps.map(stepOf)} args={run.args} />}
      </QueryState>
    </Section>
  );
}

export function GraphSkeleton() {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">Loading the steps</span>
      <Skeleton className="h-20 rounded-md" />
    </div>
  );
}

function stepOf({ index, key, name, calls, inputs, usedBy, run }: PipelineSteps["steps"][number]): GraphStep {
  const reason = run?.error ? explainRun({ error: { code: "", message: run.error } }) : null;
  return {
    ...{ index, name, calls, inputs, usedBy, stepKey: key, href: run && `/runs/${run.id}` },
    chips: run ? (
      <>
        <StateChip state={run.state} />
        {run.class === "safe" ? null : <ClassChip value={run.class} />}
        {run.pipeline ? <Badge>Pipeline</Badge> : null}
      </>
    ) : (
      <Badge>Not started</Badge>
    ),
    problem: reason && [reason.what, ...reason.stderr].join(" "),
    note: run?.durationMs ? formatDuration(run.durationMs) : null,
  };
}
