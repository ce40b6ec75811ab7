"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { missingWords } from "@/components/approvals/approval-words";
import { Expiry } from "@/components/approvals/expiry";
import { RunApproval } from "@/components/approvals/run-approval";
import { RunSteps } from "@/components/pipelines/run-steps";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { RunRating } from "@/components/traces/run-rating";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { hasEnded, type Run, runQuery } from "@/lib/client/runs";
import { CancelRunButton } from "./cancel-run-button";
import { RunOutcome } from "./run-facts";
import { RunLog } from "./run-log";
import type { RunLogState } from "./run-log-state";
import { RunResult } from "./run-result";
import { RunTimeBar } from "./run-time-bar";
import { useRunLog } from "./use-run-log";

type RunViewProps = {
  runId: string;
  /** Beside the state: a link to the run's own page. */
  linked?: boolean;
};

/** One run as it goes: state, times, result and log. */
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
  // What came to its end before one's eyes keeps its log in place; of an old run the result comes first.
  const [wasOver] = useState(hasEnded(run.state));
  const isOver = hasEnded(run.state);
  const shown = withLogsWord(run, log);
  const result = <RunResult run={shown} />;
  // What never started has written nothing; while it waits, the decision takes the place.
  const hasLog = !["awaiting_approval", "rejected", "expired"].includes(run.state);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <RunHead run={shown} linked={linked} />
      <RunApproval run={run} />
      {run.pipeline ? <RunSteps run={run} said={log.lines.length} /> : null}
      {wasOver ? result : null}
      {hasLog ? (
        <RunLog log={log} filename={`run-${run.id}.log`} startedAt={shown.startedAt} isOver={isOver} fitted={wasOver} />
      ) : null}
      {wasOver ? null : result}
    </div>
  );
}

/** The log is pushed and the state is asked for: a first line says before it that the run has begun. */
function withLogsWord(run: Run, { lines }: RunLogState): Run {
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
      {missingWords(approval)} <span className="text-muted-foreground">·</span> <Expiry at={approval.expiresAt} />
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
