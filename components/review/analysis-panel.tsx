import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { errorText } from "@/components/state/describe-error";
import { Notice } from "@/components/ui/notice";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { analysesQuery, isOpen, startAnalysis } from "@/lib/client/analyses";
import { reviewsKey } from "@/lib/client/reviews";
import { versionQuery } from "@/lib/client/versions";
import type { AnalysisStep } from "@/lib/policy/analysis/schema";
import type { Analysis, AnalysisList } from "@/lib/review/analysis/schema";
import { deedLabels, unavailableReason } from "./analysis-labels";
import { AnalysisReportView, type UsedGrants } from "./analysis-report";
import { AnalysisSteps } from "./analysis-steps";

type AnalysisPanelProps = {
  skillId: string;
  digest: string;
  /** Fills the permissions of the decision; absent when the version is not being decided. */
  onUse?: ((used: UsedGrants) => void) | undefined;
};

/** Dry runs of a version: start one, and its report. It never approves. Heavy: load it with next/dynamic. */
export function AnalysisPanel({ skillId, digest, onUse }: AnalysisPanelProps) {
  const queries = useQueryClient();
  const query = useQuery(analysesQuery(skillId, digest));
  const start = useAction((steps: AnalysisStep[]) => startAnalysis(skillId, digest, { steps }), {
    refresh: [reviewsKey, versionQuery(skillId, digest).queryKey],
  });
  const [newest] = query.data?.items ?? [];
  const isUnderWay = newest !== undefined && isOpen(newest);
  useEndOf(isUnderWay, () => void queries.invalidateQueries({ queryKey: versionQuery(skillId, digest).queryKey }));
  if (query.error) return <p className="text-13 text-danger">{errorText(query.error)}</p>;
  if (!query.data) return <SkeletonRows label="Loading dry runs" />;
  return (
    <div className="flex flex-col gap-3 text-13">
      {start.error ? (
        <Notice tone="danger" announce title="The dry run was not started">
          <p>{errorText(start.error)}</p>
        </Notice>
      ) : null}
      {newest ? <Earlier analyses={query.data.items.slice(1)} newest={newest} /> : null}
      {newest ? <Newest analysis={newest} onUse={onUse} blindSpots={query.data.blindSpots} /> : <NeverExecuted />}
      {isUnderWay ? null : (
        <Start
          key={newest?.id ?? "none"}
          list={query.data}
          isBusy={start.isPending}
          onStart={(steps) => start.mutate(steps)}
        />
      )}
    </div>
  );
}

/** Calls back when a dry run that this page saw under way has ended: its deeds are findings of the version. */
function useEndOf(isUnderWay: boolean, onEnd: () => void) {
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !isUnderWay) onEnd();
    was.current = isUnderWay;
  });
}

type EarlierProps = { newest: Analysis; analyses: readonly Analysis[] };

/** A later dry run without a hostile act does not take back an earlier one. */
function Earlier({ newest, analyses }: EarlierProps) {
  if (deedsOf(newest).length > 0) return null;
  const hostile = analyses.find((analysis) => deedsOf(analysis).length > 0);
  if (hostile === undefined) return null;
  return (
    <Notice tone="danger" title="An earlier dry run of these files recorded hostile acts">
      <ul className="flex flex-col gap-1">
        {deedsOf(hostile).map(({ kind, what }) => (
          <li key={`${kind} ${what}`} className="[overflow-wrap:anywhere]">
            {deedLabels[kind]}: <RevealedText text={what} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const deedsOf = ({ state }: Analysis) =>
  state.kind === "finished" ? state.report.steps.flatMap((step) => step.deeds) : [];

function NeverExecuted() {
  return <p className="text-muted-foreground">This version has not been executed in a dry run.</p>;
}

type NewestProps = Pick<AnalysisPanelProps, "onUse"> & { analysis: Analysis; blindSpots: readonly string[] };

function Newest({ analysis, onUse, blindSpots }: NewestProps) {
  const { state, steps, requestedBy } = analysis;
  switch (state.kind) {
    case "queued":
      return <p role="status">The dry run waits for a worker.</p>;
    case "running":
      return <p role="status">{state.worker.name} executes the dry run. Its report appears here.</p>;
    case "failed":
      return (
        <Notice tone="warning" title="The dry run has no report">
          <p>{state.reason}</p>
          <p>Nothing is known about what the version does. Start the dry run again.</p>
        </Notice>
      );
    default:
      return (
        <AnalysisReportView state={state} steps={steps} by={requestedBy.name} onUse={onUse} blindSpots={blindSpots} />
      );
  }
}

type StartProps = { list: AnalysisList; isBusy: boolean; onStart: (steps: AnalysisStep[]) => void };

function Start({ list, isBusy, onStart }: StartProps) {
  const reason = unavailableReason(list.workers);
  if (reason !== null)
    return (
      <Notice tone="warning" title="Dry runs are not available">
        <p>{reason}</p>
      </Notice>
    );
  if (list.plan.steps.length === 0 && list.plan.agent === null)
    return <p className="text-muted-foreground">There is nothing to execute: no entry, no script and no command.</p>;
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm underline underline-offset-2">
        {list.items.length === 0 ? "Start a dry run" : "Start another dry run"}
      </summary>
      <AnalysisSteps plan={list.plan} isBusy={isBusy} onStart={onStart} />
    </details>
  );
}
