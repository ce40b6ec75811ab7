"use client";

import { useQuery } from "@tanstack/react-query";
import { useNow } from "@/components/state/use-now";
import { Skeleton } from "@/components/ui/skeleton";
import { stateLooks } from "@/components/ui/state-chip";
import { newestRunsQuery } from "@/lib/client/runs";
import { countRecentRuns } from "./count-by-state";

const fills = {
  success: "bg-success-mark",
  danger: "bg-danger-mark",
  neutral: "bg-muted-foreground/60",
  accent: "bg-primary",
  warning: "bg-warning-mark",
} as const;

type RecentStripProps = { onPick: (state: string) => void };

/** The last 24 hours in one bar. */
export function RecentStrip({ onPick }: RecentStripProps) {
  const { data } = useQuery(newestRunsQuery({}));
  const now = useNow();
  if (!data || now === null) return <Skeleton className="h-11 w-full" />;
  const { counts, total, isPartial } = countRecentRuns(data.items, now, data.nextCursor !== null);
  if (total === 0) return null;
  return (
    <section aria-label="Runs by state" className="flex flex-col gap-2">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full">
        {counts.map(({ state, count }) => (
          <div key={state} className={fills[stateLooks[state].tone]} style={{ flexGrow: count }} />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13">
        <span className="text-muted-foreground">
          {isPartial
            ? `Newest ${total} runs, all in the last 24 h`
            : `Last 24 h: ${total} ${total === 1 ? "run" : "runs"}`}
        </span>
        {counts.map(({ state, count }) => (
          <button
            key={state}
            type="button"
            onClick={() => onPick(state)}
            className="inline-flex min-h-6 items-center gap-1.5 rounded-sm hover:underline"
          >
            <span aria-hidden className={`size-2 rounded-full ${fills[stateLooks[state].tone]}`} />
            <span className="font-medium tabular-nums">{count}</span> {stateLooks[state].label.toLowerCase()}
          </button>
        ))}
      </div>
    </section>
  );
}
