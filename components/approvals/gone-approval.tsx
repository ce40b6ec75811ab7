"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { runQuery } from "@/lib/client/runs";
import { BackLink } from "./approval-detail";
import { goneWords } from "./approval-words";
import { ViewRun } from "./decision-outcome";

/** In place of what this page showed or was linked to, when it waits no longer. */
export function GoneApproval({ runId, backHref }: { runId: string; backHref: string }) {
  const query = useQuery(runQuery(runId));
  return (
    <div className="flex min-w-0 flex-col gap-3 lg:max-w-3xl">
      <BackLink href={backHref} />
      <QueryState query={query} loading={<Skeleton className="h-14" />} errorTitle="The run could not be loaded.">
        {(run) =>
          run.state === "awaiting_approval" ? (
            <Notice action={<ViewRun runId={runId} />}>This run waits, but not under this tab.</Notice>
          ) : (
            <Notice announce title="It waits no longer" action={<ViewRun runId={runId} />}>
              <p className="break-words">
                {run.skill.label ?? run.skill.name}: {goneWords(run)}
              </p>
              <p className="mt-1">
                <StateChip state={run.state} />
              </p>
            </Notice>
          )
        }
      </QueryState>
    </div>
  );
}
