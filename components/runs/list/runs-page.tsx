"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Play, X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { EndOfList } from "@/components/lists/end-of-list";
import { useRowKeys } from "@/components/lists/use-list-keys";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useNow } from "@/components/state/use-now";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { deferred, deferredUntil, usePreload } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { runStates, stateLooks } from "@/components/ui/state-chip";
import { type RunFilters, runPagesQuery, runSummaryQuery } from "@/lib/client/runs";
import type { RunState, RunSummary } from "@/lib/runner/schema";
import type { NotCancelled } from "./cancel-runs-bar";
import { type ChartRange, chartRanges, readChartRange, windowAt } from "./chart-window";
import { stateFills, stateOrder } from "./run-charts";
import { chartFilters, noRunFilters, RunFilterBar, readRunFilters } from "./run-filter-bar";
import { useRunSelection } from "./run-selection";
import { RunTable } from "./run-table";

const chartPlaceholder = (
  <div className="grid gap-6 md:grid-cols-2">
    <Skeleton className="h-38 w-full" />
    <Skeleton className="h-38 w-full" />
  </div>
);
const ChartPair = deferred(async () => (await import("./chart-pair")).ChartPair, chartPlaceholder);

const CancelRunsBar = deferredUntil(
  async () => (await import("./cancel-runs-bar")).CancelRunsBar,
  ({ selection }) => selection.chosen.length > 0,
);

type RunChartsProps = { range: ChartRange; filters: RunFilters; onChange: (patch: UrlPatch) => void };

const rangeOptions = (Object.keys(chartRanges) as ChartRange[]).map((value) => ({
  value,
  label: chartRanges[value].label,
}));

type LegendProps = {
  summary: RunSummary;
  noun: string;
  rangeText: string;
  state: RunState | null;
  onPick: (state: RunState | null) => void;
};

export function RunsPage() {
  usePreload(ChartPair);
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
    <Page title="Runs" description="All executions with their logs and results.">
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
              title="No runs match these filters"
              action={<Button onClick={() => setParams(noRunFilters)}>Clear filters</Button>}
            />
          ) : (
            <EmptyState
              icon={Play}
              title="No runs yet"
              description="Runs of skills appear here with their arguments, log and result."
              action={
                <Button variant="primary" asChild>
                  <Link href="/skills">Select a skill</Link>
                </Button>
              }
            />
          )
        }
      >
        {() => (
          <div>
            <RunTable runs={runs} active={active} selection={selection} />
            <EndOfList query={query} endText="End of list" />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

type NotCancelledNoticeProps = { runs: readonly NotCancelled[]; onClose: () => void };

function NotCancelledNotice({ runs, onClose }: NotCancelledNoticeProps) {
  if (runs.length === 0) return null;
  return (
    <Notice
      tone="warning"
      announce
      title={runs.length === 1 ? "One run was not cancelled" : `${runs.length} runs were not cancelled`}
      action={
        <IconButton label="Close notice" size="sm" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      }
    >
      <ul>
        {runs.map(({ run, why }) => (
          <li key={run.id}>
            <Link href={`/runs/${run.id}`} className="underline">
              {run.skill.label ?? run.skill.name}
            </Link>
            : {why}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Charts of runs by state and of durations over the last hour, day or week. Cover all runs, not only the loaded ones. */
function RunCharts({ range, filters, onChange }: RunChartsProps) {
  const { refreshMs } = chartRanges[range];
  const query = useQuery(
    runSummaryQuery(range, chartFilters(filters), { windowNow: () => windowAt(range, Date.now()), refreshMs }),
  );
  const now = useNow();
  const state = runStates.find((state) => state === filters.state) ?? null;
  return (
    <section aria-label="Runs over time" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SegmentedControl
          label="Time range"
          value={range}
          onValueChange={(value) => onChange({ range: value === "24h" ? null : value, from: null, to: null })}
          options={rangeOptions}
        />
        {query.data ? (
          <Legend
            summary={query.data}
            noun={Object.keys(chartFilters(filters)).length > 0 ? "matching run" : "run"}
            rangeText={chartRanges[range].text}
            state={state}
            onPick={(picked) => onChange({ state: picked })}
          />
        ) : null}
      </div>
      <QueryState query={query} errorTitle="The charts could not be loaded." loading={chartPlaceholder}>
        {(summary) =>
          summary.total === 0 && filters.from === undefined && filters.to === undefined ? null : (
            <ChartPair summary={summary} state={state} filters={filters} now={now ?? Date.now()} onChange={onChange} />
          )
        }
      </QueryState>
    </section>
  );
}

function Legend({ summary: { states, total }, noun, rangeText, state: asked, onPick }: LegendProps) {
  const shown = stateOrder.filter((state) => (states[state] ?? 0) > 0 || state === asked);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13">
      <span className="text-muted-foreground">
        {total === 0 ? `No ${noun}s` : `${total.toLocaleString("en-GB")} ${noun}${total === 1 ? "" : "s"}`} in{" "}
        {rangeText}
      </span>
      {shown.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={state === asked}
          onClick={() => onPick(state === asked ? null : state)}
          className={cn(
            "inline-flex min-h-6 items-center gap-1.5 rounded-sm hover:underline",
            state === asked && "underline decoration-2 underline-offset-4",
          )}
        >
          <span aria-hidden className={cn("size-2 rounded-full", stateFills[stateLooks[state].tone].box)} />
          <span className="font-medium tabular-nums">{(states[state] ?? 0).toLocaleString("en-GB")}</span>{" "}
          {stateLooks[state].label.toLowerCase()}
        </button>
      ))}
    </div>
  );
}
