"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRef, useState } from "react";
import { ApprovalFacts, ApprovalSigning, SignatureList } from "@/components/approvals/approval-facts";
import { missingSignaturesText } from "@/components/approvals/approval-labels";
import { DecisionBox, type DecisionOutcome } from "@/components/approvals/decision-box";
import { OutcomeNotice } from "@/components/approvals/decision-outcome";
import { Expiry } from "@/components/approvals/expiry";
import { RevealedText } from "@/components/code/hidden-notice";
import { JsonView, type JsonViewName } from "@/components/json/json-view";
import { RunLog } from "@/components/runs/log/run-log";
import { type RunLogState, useRunLog } from "@/components/runs/log/use-run-log";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useUrlState } from "@/components/state/use-url-params";
import { RunRating } from "@/components/traces/trace-rating";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { deferred } from "@/components/ui/deferred/deferred";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { approvalQuery } from "@/lib/client/approvals";
import { cancelRun, hasEnded, runQuery } from "@/lib/client/runs";
import type { ApprovalItem, Run } from "@/lib/runner/schema";
import { explainRun } from "./explain-run";
import { RunOutcome } from "./run-facts";
import { RunTimeBar } from "./run-times";

const RunSteps = deferred(async () => (await import("@/components/pipelines/run-steps")).RunSteps);

type RunViewProps = {
  runId: string;
  linked?: boolean;
};

export function RunView({ runId, linked = false }: RunViewProps) {
  const query = useQuery(runQuery(runId));
  return (
    <QueryState query={query} loading={<RunSkeleton />} errorTitle="The run could not be loaded.">
      {(run) => <FollowedRun key={run.id} run={run} linked={linked} />}
    </QueryState>
  );
}

function FollowedRun({ run, linked }: { run: Run; linked: boolean }) {
  const queries = useQueryClient();
  const log = useRunLog(run.id, () => {
    void queries.invalidateQueries({ queryKey: ["runs"] });
  });
  const isOver = hasEnded(run.state);
  const shown = withLogStart(run, log);
  const hasLog = !["awaiting_approval", "rejected", "expired"].includes(run.state);
  // Keys keep the log's state when the result moves above it.
  const approval = <RunApproval key="approval" run={run} />;
  const steps = run.pipeline ? <RunSteps key="steps" run={run} eventCount={log.lines.length} /> : null;
  const lines = hasLog ? (
    <RunLog
      key="log"
      log={log}
      filename={`run-${run.id}.log`}
      startedAt={shown.startedAt}
      isOver={isOver}
      fitted={isOver}
    />
  ) : null;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <RunHead run={shown} linked={linked} />
      {isOver ? [<RunResult key="result" run={shown} />, steps, lines, approval] : [approval, steps, lines]}
    </div>
  );
}

/** The log is pushed but the state is polled, so a first log line shows earlier that the run has started. */
function withLogStart(run: Run, { lines }: RunLogState): Run {
  const [first] = lines;
  return run.state === "queued" && first ? { ...run, state: "running", startedAt: first.at } : run;
}

function RunHead({ run, linked }: { run: Run; linked: boolean }) {
  const me = useMe();
  const mayCancel = me !== undefined && (me.user.id === run.caller.id || me.user.role === "admin");
  return (
    <header className="flex flex-col gap-3 rounded-md border px-4 py-3">
      <h2 className="sr-only">State of the run</h2>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <span role="status">
          <StateChip state={run.state} />
        </span>
        {run.state === "awaiting_approval" ? <WaitsSince run={run} /> : <RunTimeBar run={run} />}
        <span className="ml-auto flex items-center gap-2">
          {linked ? (
            <Link href={`/runs/${run.id}`} className="text-13 text-primary hover:underline">
              Open run
            </Link>
          ) : null}
          {hasEnded(run.state) ? <RunRating runId={run.id} /> : null}
          {!hasEnded(run.state) && mayCancel ? <CancelRunButton run={run} /> : null}
        </span>
      </div>
      {run.state === "awaiting_approval" ? null : <RunOutcome run={run} />}
    </header>
  );
}

function WaitsSince({ run: { approval } }: { run: Run }) {
  if (!approval) return null;
  return (
    <p className="text-13">
      {missingSignaturesText(approval)} <span className="text-muted-foreground">·</span>{" "}
      <Expiry at={approval.expiresAt} />
    </p>
  );
}

function RunSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">Loading the run</span>
      <Skeleton className="h-16 rounded-md" />
      <Skeleton className="h-40 rounded-md" />
      <Skeleton className="h-72 rounded-md" />
    </div>
  );
}

function CancelRunButton({ run }: { run: Run }) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRun(run.id),
    onSuccess: (answer) => {
      queries.setQueryData(runQuery(run.id).queryKey, answer);
      return queries.invalidateQueries({ queryKey: ["runs"] });
    },
  });
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Cancel this run of ${run.skill.label ?? run.skill.name}?`}
        description={
          run.state === "awaiting_approval"
            ? "The run has not started. It will not start, and its approval request is closed."
            : "The process and its child processes are stopped. Changes already made are not undone."
        }
        confirmLabel="Cancel run"
        cancelLabel={run.state === "awaiting_approval" ? "Keep request" : "Keep running"}
        tone="danger"
        onConfirm={() => cancel.mutateAsync()}
      />
    </>
  );
}

/** The result, or the reason why there is none. The address stores the view. */
function RunResult({ run }: { run: Run }) {
  const [view, setView] = useUrlState("result");
  if (run.state === "succeeded") {
    return (
      <JsonView
        rich
        value={run.result}
        label="Result"
        filename={`run-${run.id}.json`}
        view={view === "" ? null : (view as JsonViewName)}
        onViewChange={setView}
      />
    );
  }
  // Its decisions below say who rejected it and why.
  const reason = run.state === "rejected" && run.approval?.by.length ? null : explainRun(run);
  const isFault = run.state === "failed" || run.state === "rejected";
  return (
    <>
      {reason ? (
        <Notice tone={isFault ? "danger" : "neutral"} title={<RevealedText text={reason.what} />}>
          {reason.stderr.length === 0 ? null : (
            <p className="mt-1.5 wrap-anywhere whitespace-pre-wrap font-mono text-xs leading-5">
              {reason.stderr.join("\n")}
            </p>
          )}
        </Notice>
      ) : null}
      {run.rawOutput === null ? null : (
        <CodeBlock code={run.rawOutput} label="Output (not a single JSON value)" wrap className="max-h-96" />
      )}
    </>
  );
}

/** On a run's own page: the pending approval, afterwards the decisions. */
function RunApproval({ run }: { run: Run }) {
  const [outcome, setOutcome] = useState<DecisionOutcome | null>(null);
  const { approval } = run;
  if (!approval) return null;
  return (
    <>
      {outcome ? <OutcomeNotice runId={run.id} outcome={outcome} linked={false} /> : null}
      {run.state === "awaiting_approval" ? (
        <PendingApproval run={run} onOutcome={setOutcome} />
      ) : approval.by.length > 0 ? (
        <Section title="Decisions" className="gap-2 rounded-md border px-4 py-3">
          <SignatureList decisions={approval.by} />
        </Section>
      ) : null}
    </>
  );
}

function PendingApproval({ run, onOutcome }: { run: Run; onOutcome: (outcome: DecisionOutcome) => void }) {
  const query = useQuery(approvalQuery(run.id));
  return (
    <Section title="Approval" className="gap-4 rounded-md border px-4 py-3">
      <QueryState query={query} loading={<Skeleton className="h-40" />} errorTitle="The approval could not be loaded.">
        {(item) => (item ? <PendingDecision item={item} onOutcome={onOutcome} /> : null)}
      </QueryState>
    </Section>
  );
}

function PendingDecision({ item, onOutcome }: { item: ApprovalItem; onOutcome: (outcome: DecisionOutcome) => void }) {
  const commentRef = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <ApprovalFacts item={item} />
      <ApprovalSigning item={item} />
      <div className="border-t pt-3">
        <DecisionBox item={item} onOutcome={onOutcome} commentRef={commentRef} />
      </div>
    </>
  );
}
