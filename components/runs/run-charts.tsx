"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { useNow } from "@/components/state/use-now";
import type { UrlPatch } from "@/components/state/use-url-params";
import { cn } from "@/components/ui/cn";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { stateLooks } from "@/components/ui/state-chip";
import { type RunFilters, type RunSummary, runSummaryQuery } from "@/lib/client/runs";
import { RunState } from "@/lib/runner/schema";
import { ChartPair } from "./chart-pair";
import { type ChartRange, chartRanges, windowAt } from "./chart-window";
import { chartFilters } from "./run-filters";
import { stateFills } from "./state-fills";
import { stateOrder } from "./state-order";

type RunChartsProps = { range: ChartRange; filters: RunFilters; onChange: (patch: UrlPatch) => void };

const rangeOptions = (Object.keys(chartRanges) as ChartRange[]).map((value) => ({
  value,
  label: chartRanges[value].label,
}));

/** Runs by state and how long they took, over the last hour, day or week; all of them, not only those in the list. */
export function RunCharts({ range, filters, onChange }: RunChartsProps) {
  const { refreshMs } = chartRanges[range];
  const query = useQuery(
    runSummaryQuery(range, chartFilters(filters), { windowNow: () => windowAt(range, Date.now()), refreshMs }),
  );
  const now = useNow();
  const state = RunState.safeParse(filters.state).data ?? null;
  return (
    <section aria-label="Runs over time" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SegmentedControl
          label="Time shown"
          value={range}
          onValueChange={(value) => onChange({ range: value === "24h" ? null : value, from: null, to: null })}
          options={rangeOptions}
        />
        {query.data ? (
          <Legend
            summary={query.data}
            words={chartRanges[range].words}
            state={state}
            onPick={(picked) => onChange({ state: picked })}
          />
        ) : null}
      </div>
      <QueryState
        query={query}
        errorTitle="The charts could not be loaded."
        loading={
          <div className="grid gap-6 md:grid-cols-2">
            <Skeleton className="h-38 w-full" />
            <Skeleton className="h-38 w-full" />
          </div>
        }
      >
        {(summary) => (
          <ChartPair summary={summary} state={state} filters={filters} now={now ?? Date.now()} onChange={onChange} />
        )}
      </QueryState>
    </section>
  );
}

type LegendProps = {
  summary: RunSummary;
  words: string;
  state: RunState | null;
  onPick: (state: RunState | null) => void;
};

/** How many runs of each state, each a switch for the list. */
function Legend({ summary: { states, total }, words, state: asked, onPick }: LegendProps) {
  const shown = stateOrder.filter((state) => (states[state] ?? 0) > 0 || state === asked);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13">
      <span className="text-muted-foreground">
        {total === 0 ? "No runs" : `${total.toLocaleString("en-GB")} ${total === 1 ? "run" : "runs"}`} in {words}
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
