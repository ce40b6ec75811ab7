import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { actionsColumn, type Column, DataTable } from "@/components/lists/data-table";
import { Took } from "@/components/runs/detail/run-times";
import { chartScale, stateFills } from "@/components/runs/list/run-charts";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Digest } from "@/components/ui/digest";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { StateChip, stateLooks } from "@/components/ui/state-chip";
import { hasEnded, newestRunsQuery } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";

const height = 44;

const barWidth = 8;

const gap = 3;

type RunHistoryProps = { skillId: string; current: string | null; onUseArgs: (run: Run) => void };

const shown = 30;

export function RunHistory({ skillId, current, onUseArgs }: RunHistoryProps) {
  const query = useQuery(newestRunsQuery({ skill: skillId }, shown));
  return (
    <Section
      title="History"
      actions={
        <Link href={`/runs?skill=${skillId}`} className="text-13 text-primary hover:underline">
          View all runs
        </Link>
      }
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={3} />}
        errorTitle="The history could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={<p className="py-3 text-13 text-muted-foreground">No runs yet</p>}
      >
        {(page) => (
          <div className="flex flex-col gap-3">
            <DurationChart runs={page.items} />
            <DataTable
              label="Last runs of this skill"
              rows={page.items}
              rowId={({ id }) => id}
              rowProps={({ id }) => ({ selected: id === current })}
              columns={columns(current, onUseArgs)}
            />
          </div>
        )}
      </QueryState>
    </Section>
  );
}

function columns(current: string | null, onUseArgs: (run: Run) => void): Column<Run>[] {
  return [
    { header: "State", cell: (run) => <StateChip state={run.state} /> },
    { header: "Queued", muted: true, cell: (run) => <RelativeTime value={run.queuedAt} /> },
    { header: "Duration", numeric: true, cell: (run) => <Took run={run} /> },
    { header: "Started by", className: "max-md:hidden", cell: (run) => run.caller.name },
    {
      header: "Version",
      className: "max-md:hidden",
      cell: (run) => <Digest value={run.versionDigest} label="version digest" />,
    },
    actionsColumn(
      (run) => (
        <>
          <Button size="sm" variant="ghost" className="max-md:hidden" onClick={() => onUseArgs(run)}>
            Use arguments
          </Button>
          {current === null || current === run.id ? null : (
            <Button size="sm" variant="ghost" className="max-md:hidden" asChild>
              <Link href={`/runs/${current}?compare=${run.id}`}>Compare</Link>
            </Button>
          )}
          <Button size="sm" variant="ghost" asChild>
            <Link href={`/runs/${run.id}`}>Open</Link>
          </Button>
        </>
      ),
      "whitespace-nowrap",
    ),
  ];
}

function DurationChart({ runs }: { runs: readonly Run[] }) {
  const ended = runs.filter((run) => hasEnded(run.state) && run.durationMs !== null).reverse();
  if (ended.length < 2) return null;
  const durations = ended.map((run) => run.durationMs ?? 0);
  const longest = Math.max(...durations);
  const { top, beyond } = chartScale(durations);
  const tones = [...new Set(ended.map((run) => run.state))].map((state) => stateLooks[state]);
  const width = ended.length * (barWidth + gap) - gap;
  const label = `Durations of the last ${ended.length} runs, the longest ${formatDuration(longest)}`;
  return (
    <figure className="flex flex-wrap items-end gap-3">
      <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{label}</title>
        {ended.map((run, index) => {
          const tall = Math.max(3, (Math.min(run.durationMs ?? 0, top) / top) * height);
          const { tone, label: state } = stateLooks[run.state];
          return (
            <rect
              key={run.id}
              x={index * (barWidth + gap)}
              y={height - tall}
              width={barWidth}
              height={tall}
              rx={1.5}
              className={stateFills[tone].fill}
            >
              <title>{`${state}, ${formatDuration(run.durationMs ?? 0)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="text-muted-foreground text-xs leading-4">
        Longest {formatDuration(longest)}
        <br />
        Median {formatDuration(median(durations))}
        {beyond === null ? null : (
          <>
            <br />
            Bars end at {formatDuration(top)}
          </>
        )}
      </figcaption>
      <ul aria-label="Legend" className="text-xs leading-4">
        {tones.map(({ label: state, tone }) => (
          <li key={state} className="flex items-center gap-1.5">
            <span aria-hidden className={cn("size-2 rounded-xs", stateFills[tone].box)} />
            {state}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
