"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, useEffect, useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { hasEnded, type Run, runQuery } from "@/lib/client/runs";
import { CancelRunButton } from "./cancel-run-button";
import { RunOutcome } from "./run-facts";
import { RunLog } from "./run-log";
import { RunResult } from "./run-result";
import { RunTimeBar } from "./run-time-bar";
import { useRunLog } from "./use-run-log";

type RunViewProps = {
  runId: string;
  /** Beside the state: a link to the run's own page. */
  linked?: boolean;
  actions?: (run: Run) => ReactNode;
};

/** One run as it goes: state, times, result and log. */
export function RunView({ runId, linked = false, actions }: RunViewProps) {
  const query = useQuery(runQuery(runId));
  return (
    <QueryState query={query} loading={<RunSkeleton />} errorTitle="The run could not be loaded.">
      {(run) => (
        <div className="flex min-w-0 flex-col gap-3">
          <RunHead run={run} linked={linked} actions={actions?.(run)} />
          <RunResult run={run} />
          <LiveLog key={run.id} run={run} />
        </div>
      )}
    </QueryState>
  );
}

function RunHead({ run, linked, actions }: { run: Run; linked: boolean; actions?: ReactNode }) {
  const me = useMe();
  const mayCancel = me !== undefined && (me.user.id === run.caller.id || me.user.role === "admin");
  return (
    <header className="flex flex-col gap-3 rounded-md border px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span role="status">
          <StateChip state={run.state} />
        </span>
        <RunTimeBar run={run} />
        <span className="flex items-center gap-2">
          {linked ? (
            <Link href={`/runs/${run.id}`} className="text-13 text-primary hover:underline">
              Open run
            </Link>
          ) : null}
          {actions}
          {!hasEnded(run.state) && mayCancel ? <CancelRunButton run={run} /> : null}
        </span>
      </div>
      {run.startedAt === null ? null : <RunOutcome run={run} />}
    </header>
  );
}

function LiveLog({ run }: { run: Run }) {
  const queries = useQueryClient();
  const log = useRunLog(run.id, () => {
    void queries.invalidateQueries({ queryKey: ["runs"] });
  });
  const isOver = hasEnded(run.state);
  // A log that grows has its height from the start; a finished one is as high as it needs.
  const [wasOver] = useState(isOver);
  const hasBegun = log.lines.length > 0;
  useEffect(() => {
    // The log is pushed and the state is not: its first line says that the state has changed.
    if (hasBegun) void queries.invalidateQueries({ queryKey: runQuery(run.id).queryKey });
  }, [hasBegun, queries, run.id]);
  return (
    <RunLog
      log={log}
      filename={`run-${run.id}.log`}
      emptyText={isOver ? "It wrote nothing to its log." : "What it writes to its log appears here."}
      fitted={wasOver}
    />
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
