import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Label } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { analysesQuery, cancelAnalysis, isOpen, startAnalysis } from "@/lib/client/evidence";
import { reviewsKey } from "@/lib/client/reviews";
import { versionQuery } from "@/lib/client/versions";
import type { AnalysisStep } from "@/lib/policy/analysis/schema";
import type { Analysis, AnalysisList } from "@/lib/review/analysis/schema";
import { argumentsText, deedLabels, isOnlyAsked, stepName, unavailableReason, withArguments } from "./analysis-labels";
import { AnalysisReportView, type UsedGrants } from "./analysis-report";

const FIELD_LABELS = {
  entry: "Arguments (JSON)",
  script: "Arguments (one per line)",
  command: "Command",
  agent: "Task of the agent",
} as const;

type AnalysisStepsProps = {
  plan: AnalysisList["plan"];
  isBusy: boolean;
  onStart: (steps: AnalysisStep[]) => void;
};

type Draft = { step: AnalysisStep; text: string; isChosen: boolean };

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
  const cancel = useAction((id: string) => cancelAnalysis(skillId, digest, id), { refresh: [reviewsKey] });
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
      {cancel.error ? (
        <Notice tone="danger" announce title="The dry run was not cancelled">
          <p>{errorText(cancel.error)}</p>
        </Notice>
      ) : null}
      {newest ? <Earlier analyses={query.data.items.slice(1)} newest={newest} /> : null}
      {newest ? <Newest analysis={newest} onUse={onUse} blindSpots={query.data.blindSpots} /> : <NeverExecuted />}
      {isUnderWay ? (
        <Button
          size="sm"
          className="w-fit"
          pending={cancel.isPending}
          disabled={cancel.isPending}
          onClick={() => cancel.mutate(newest.id)}
        >
          Cancel dry run
        </Button>
      ) : null}
      <LeftOut count={query.data.plan.leftOut} />
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
  if (hostileActsOf(newest).length > 0) return null;
  const hostile = analyses.find((analysis) => hostileActsOf(analysis).length > 0);
  if (hostile === undefined) return null;
  return (
    <Notice tone="danger" title="An earlier dry run of these files recorded hostile acts">
      <ul className="flex flex-col gap-1">
        {hostileActsOf(hostile).map(({ kind, what }) => (
          <li key={`${kind} ${what}`} className="[overflow-wrap:anywhere]">
            {deedLabels[kind]}: <RevealedText text={what} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const hostileActsOf = ({ state }: Analysis) =>
  state.kind === "finished"
    ? state.report.steps.flatMap(({ deeds }) => deeds.filter((deed) => !isOnlyAsked(deed)))
    : [];

function NeverExecuted() {
  return <p className="text-muted-foreground">This version has not been executed in a dry run.</p>;
}

/** Beside every report too, which says nothing of them. */
function LeftOut({ count }: { count: number }) {
  if (count === 0) return null;
  const what = count === 1 ? "1 command, script or part of one is" : `${count} commands, scripts or parts of them are`;
  return (
    <Notice tone="warning" title="The plan does not execute everything">
      <p>
        {what} not in the plan of a dry run: too many, too long, in another language, or without a clear begin and end.
        Read them in the files.
      </p>
    </Notice>
  );
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
    return (
      <p className="text-muted-foreground">
        {list.plan.leftOut > 0
          ? "There is nothing that a dry run can execute."
          : "There is nothing to execute: no entry, no script and no command."}
      </p>
    );
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm underline underline-offset-2">
        {list.items.length === 0 ? "Start a dry run" : "Start another dry run"}
      </summary>
      <AnalysisSteps plan={list.plan} isBusy={isBusy} onStart={onStart} />
    </details>
  );
}

/** The steps of a new dry run, which the reviewer can leave out or give other arguments. */
function AnalysisSteps({ plan, isBusy, onStart }: AnalysisStepsProps) {
  const [drafts, setDrafts] = useState<Draft[]>(() => {
    const draft = (step: AnalysisStep, isChosen: boolean) => ({ step, text: argumentsText(step), isChosen });
    // Asks a model, which costs: only when a reviewer chooses it.
    return [...plan.steps.map((step) => draft(step, true)), ...(plan.agent ? [draft(plan.agent, false)] : [])];
  });
  const change = (index: number, part: Partial<Draft>) =>
    setDrafts(drafts.map((draft, at) => (at === index ? { ...draft, ...part } : draft)));
  const chosen = drafts.filter(({ isChosen }) => isChosen);
  const steps = chosen.flatMap(({ step, text }) => withArguments(step, text) ?? []);
  const isWrong = steps.length < chosen.length;
  return (
    <div className="mt-2 flex flex-col gap-3">
      <p className="text-muted-foreground text-xs">
        Each step runs in a sandbox of its own, with planted secrets and no way out. Nothing it does reaches this
        organisation, and nothing is approved. What a step does that you change makes no finding.
      </p>
      {drafts.map(({ step, text, isChosen }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan keep their order
        <div key={index} className="flex flex-col gap-1">
          <div className="flex items-start gap-2">
            <Checkbox
              id={`dry-run-step-${index}`}
              checked={isChosen}
              onCheckedChange={(checked) => change(index, { isChosen: checked === true })}
            />
            <Label htmlFor={`dry-run-step-${index}`} className="font-mono text-xs [overflow-wrap:anywhere]">
              {stepName(step)}
            </Label>
          </div>
          {isChosen ? (
            <Field
              label={FIELD_LABELS[step.kind]}
              error={withArguments(step, text) === null ? "Enter a JSON object, such as {}." : undefined}
            >
              <Textarea
                rows={Math.min(4, text.split("\n").length)}
                className="font-mono text-xs"
                spellCheck={false}
                value={text}
                onChange={(event) => change(index, { text: event.target.value })}
              />
            </Field>
          ) : null}
        </div>
      ))}
      <Button
        className="w-fit"
        pending={isBusy}
        disabled={isBusy || isWrong || steps.length === 0}
        onClick={() => onStart(steps)}
      >
        Start dry run
      </Button>
    </div>
  );
}
