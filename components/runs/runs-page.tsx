"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { runPagesQuery } from "@/lib/client/runs";
import { CancelRunsBar, type NotCancelled } from "./cancel-runs-bar";
import { readChartRange } from "./chart-window";
import { EndOfList } from "./end-of-list";
import { NotCancelledNotice } from "./not-cancelled-notice";
import { RunCharts } from "./run-charts";
import { RunFilterBar } from "./run-filter-bar";
import { noRunFilters, readRunFilters } from "./run-filters";
import { RunTable } from "./run-table";
import { useRowKeys } from "./use-row-keys";
import { useRunSelection } from "./use-run-selection";

/** Every run the person may see. */
export function RunsPage() {
  const [params, setParams] = useUrlParams();
  const router = useRouter();
  const filters = readRunFilters(params);
  const query = useInfiniteQuery(runPagesQuery(filters));
  const runs = query.data?.pages.flatMap((page) => page.items) ?? [];
  const active = useRowKeys({
    count: runs.length,
    noun: "run",
    ids: runs.map((run) => run.id),
    onOpen: (index) => {
      const run = runs[index];
      if (run) router.push(`/runs/${run.id}`);
    },
  });
  const selection = useRunSelection(runs, runs[active], useMe());
  const [notCancelled, setNotCancelled] = useState<readonly NotCancelled[]>([]);
  const isFiltered = Object.keys(filters).length > 0;
  const hasNoRuns = query.data !== undefined && runs.length === 0 && !isFiltered;

  return (
    <Page title="Runs" description="Every execution with its log and its result.">
      {hasNoRuns ? null : (
        <RunCharts range={readChartRange(params.get("range"))} filters={filters} onChange={setParams} />
      )}
      <CancelRunsBar selection={selection} onRefused={setNotCancelled} />
      <RunFilterBar filters={filters} onChange={setParams} />
      <NotCancelledNotice runs={notCancelled} onClose={() => setNotCancelled([])} />
      <QueryState
        query={query}
        errorTitle="The runs could not be loaded."
        isEmpty={() => runs.length === 0}
        empty={
          isFiltered ? (
            <EmptyState
              title="No run fits these filters"
              action={<Button onClick={() => setParams(noRunFilters)}>Show all runs</Button>}
            />
          ) : (
            <EmptyState
              icon={Play}
              title="Nothing has run yet"
              description="Runs of skills are listed here, each with its arguments, log and result."
              action={
                <Button variant="primary" asChild>
                  <Link href="/skills">Choose a skill</Link>
                </Button>
              }
            />
          )
        }
      >
        {() => (
          <div>
            <RunTable runs={runs} active={active} selection={selection} />
            <EndOfList query={query} endText="That is every run." />
          </div>
        )}
      </QueryState>
    </Page>
  );
}
